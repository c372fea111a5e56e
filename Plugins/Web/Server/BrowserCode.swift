import Foundation

/// Removes comments, empty lines, and the spaces and line ends that separate nothing from scripts and styles, and shortens their own
/// names. A statement of a script that ends a block still ends its line, so that the place of an error can be found.
enum BrowserCode {
    /// A script with comments on separate lines and without multi-line texts; tests check the sources for
    /// that.
    static func script(_ text: String) -> String {
        self.text(ScriptNames.shortened(tokens(lines(text, isScript: true))))
    }

    /// A style sheet; also removes spaces around punctuation and the last semicolons of blocks, and shortens the
    /// names of the properties that it declares.
    static func style(_ text: String) -> String {
        let dense = signs.reduce(lines(text, isScript: false).joined()) { $0.replacing($1.0, with: $1.1) }
        var names: [Substring: String] = [:]
        for declared in dense.matches(of: /[{;](--[a-z-]+):/) where names[declared.1] == nil {
            names[declared.1] = "--" + String(names.count, radix: 36)
        }
        return dense.replacing(/--[a-z-]+/) { names[$0.output] ?? String($0.output) }
    }

    private static let signs = [
        ("{ ", "{"), (" {", "{"), (" }", "}"), ("; ", ";"), (": ", ":"), (", ", ","), (" > ", ">"),
        (";}", "}"),
    ]

    /// The lines without indentation, comments, and those that are empty.
    private static func lines(_ text: String, isScript: Bool) -> [Substring] {
        var isComment = false
        return text.split(separator: "\n").compactMap { line in
            let code = line.drop { $0 == " " }
            if isComment || code.hasPrefix("/*") {
                isComment = !code.contains("*/")
                return nil
            }
            return code.isEmpty || isScript && code.hasPrefix("//") ? nil : code
        }
    }

    /// Lines after these signs, or before those, need no line end between them.
    private static let (opening, closing): (Set<String>, Set<String>) = (
        ["{", ";", ",", "(", "["], ["}", ")", "]", ","]
    )

    private static func tokens(_ lines: [Substring]) -> [ScriptToken] {
        var tokens: [ScriptToken] = []
        for line in lines {
            let next = ScriptTokens.of(line)
            if let last = tokens.last, let first = next.first, !opening.contains(last.text),
                !closing.contains(first.text)
            {
                tokens.append(.lineEnd)
            }
            tokens += next
        }
        return tokens
    }

    /// Words for which a browser takes shorter ones.
    private static let shorter = ["const": "let", "true": "!0", "false": "!1"]

    /// The script with the spaces between words, and between signs that would become another one.
    private static func text(_ tokens: [ScriptToken]) -> String {
        func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
        func isParameter(_ index: Int) -> Bool {
            text(index - 1) == "(" && text(index + 1) == ")" && text(index + 2) == "=>"
                && tokens[index].kind == .word
        }
        var output = ""
        for (index, token) in tokens.enumerated() {
            // A block needs no semicolon at its end, and a single parameter no parentheses.
            if token.text == ";", text(index + 1) == "}" { continue }
            if token.text == "(" ? isParameter(index + 1) : token.text == ")" && isParameter(index - 1) {
                continue
            }
            let word =
                token.kind == .word && text(index - 1) != "." ? shorter[token.text] ?? token.text : token.text
            if let last = output.utf8.last, let next = word.utf8.first {
                let isWord = ScriptTokens.isOfWord(next)
                let joins = isWord && ScriptTokens.isOfWord(last)
                let isOneSign = token.isApart && last == next && "+-/".utf8.contains(last)
                // What follows a regular expression would be its flags.
                if joins || isOneSign || isWord && last == UInt8(ascii: "/") && text(index - 1).count > 1 {
                    output.append(" ")
                }
            }
            output += word
        }
        return output
    }
}
