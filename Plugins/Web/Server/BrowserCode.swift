import Foundation

/// Scripts and styles as they are sent: without comments and needless spaces, line for line, so that the browser's tools show the lines of
/// the sources.
enum BrowserCode {
    /// A script whose comments stand on lines of their own, and whose texts do not span lines; tests hold the sources to it.
    static func script(_ text: String) -> String { compact(text, isScript: true) }

    /// A style sheet, which loses the spaces around its signs and the last signs of its blocks as well.
    static func style(_ text: String) -> String {
        dense(compact(text, isScript: false), signs + [(";}", "}")])
    }

    private static let signs = [("{ ", "{"), (" {", "{"), (" }", "}"), ("; ", ";"), (": ", ":"), (", ", ",")]
    private static let operators =
        [" = ", " => ", " && ", " || ", " ? ", " === ", " !== ", " : ", " ("].map {
            ($0, $0.replacing(" ", with: ""))
        } + signs

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
            return script(line: String(code))
        }
        return lines.joined(separator: "\n")
    }

    /// A line whose spaces around operators are left out where they are outside of texts. A line with a template, a regular expression or an
    /// escaped quotation mark stays as it is.
    private static func script(line: String) -> String {
        let pieces = line.components(separatedBy: "\"")
        let code = stride(from: 0, to: pieces.count, by: 2)
        let isPlain = code.allSatisfy { index in !pieces[index].contains { "'`/\\".contains($0) } }
        guard isPlain, !line.contains("\\\"") else { return line }
        return pieces.enumerated().map { $0 % 2 == 0 ? dense($1, operators) : $1 }.joined(separator: "\"")
    }
}
