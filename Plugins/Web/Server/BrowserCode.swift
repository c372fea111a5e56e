import Foundation

/// Removes comments, empty lines and unnecessary spaces from scripts and styles. What is left of a line stays one, so that the
/// browser's tools show code that can be read.
enum BrowserCode {
    /// A script with comments on separate lines and without multi-line texts; tests check the sources for
    /// that.
    static func script(_ text: String) -> String { compact(text, isScript: true) }

    /// A style sheet; also removes spaces around punctuation and the last semicolons of blocks.
    static func style(_ text: String) -> String {
        dense(compact(text, isScript: false), signs + [(";}", "}")])
    }

    private static let signs = [
        ("{ ", "{"), (" {", "{"), (" }", "}"), ("; ", ";"), (": ", ":"), (", ", ","), (" > ", ">"),
    ]
    private static func dense(_ text: String, _ pairs: [(String, String)]) -> String {
        pairs.reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func compact(_ text: String, isScript: Bool) -> String {
        var isComment = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let code = line.drop { $0 == " " }
            if isComment || code.hasPrefix("/*") {
                isComment = !code.contains("*/")
                return ""
            }
            guard isScript else { return String(code) }
            if code.hasPrefix("//") { return "" }
            return ScriptLine.compact(code)
        }
        return lines.filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
