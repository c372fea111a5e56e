import Foundation

/// Removes comments, empty lines, and the spaces and line ends that separate nothing from scripts and styles. A statement of a script
/// that ends a block still ends its line, so that the place of an error can be found.
enum BrowserCode {
    /// A script with comments on separate lines and without multi-line texts; tests check the sources for
    /// that.
    static func script(_ text: String) -> String {
        joined(lines(text, isScript: true).map(ScriptLine.compact))
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
    private static let (opening, closing) = (Set("{;,(["), Set("})],"))

    private static func joined(_ lines: [String]) -> String {
        var script = ""
        for line in lines where !line.isEmpty {
            if let last = script.last, let first = line.first {
                // A block needs no semicolon at its end.
                if first == "}", last == ";" { script.removeLast() }
                if !opening.contains(last), !closing.contains(first) { script.append("\n") }
            }
            script += line
        }
        return script
    }
}
