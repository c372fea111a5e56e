import Core

/// Prose of a notebook for a terminal: paragraphs and list items are rewrapped to its width; headings, tables and blocks of
/// code are unchanged.
public enum ProseWrap {
    /// The prose wrapped to a width in columns; longer words are not broken.
    public static func wrapped(_ markdown: String, to width: Int) -> String {
        var (lines, paragraph) = ([String](), [String]())
        var isInBlock = false
        func finish() {
            guard let first = paragraph.first else { return }
            let indentation = String(repeating: " ", count: marker(first))
            lines.append(
                TextWrap.wrapped(paragraph.joined(separator: " "), to: width, indentation: indentation))
            paragraph = []
        }
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let isFence = Fence(opening: line) != nil
            if isFence { isInBlock.toggle() }
            if isInBlock || isFence || staysAsWritten(line, goesOn: !paragraph.isEmpty) {
                finish()
                lines.append(line)
            } else {
                if marker(line) > 0 { finish() }
                paragraph.append(line)
                // Two trailing blanks force a line break.
                if line.hasSuffix("  ") { finish() }
            }
        }
        finish()
        return lines.joined(separator: "\n")
    }

    private static func staysAsWritten(_ line: String, goesOn: Bool) -> Bool {
        line.isBlank || line.hasPrefix("#") || line.hasPrefix("|") || line.hasPrefix(">")
            || (line.hasPrefix("    ") && !goesOn)
    }

    /// The width of a list item's marker with its blank; 0 for other lines.
    private static func marker(_ line: String) -> Int {
        if ["- ", "* ", "+ "].contains(where: line.hasPrefix) { return 2 }
        let digits = line.prefix { $0.isASCII && $0.isNumber }.count
        return (1...3).contains(digits) && line.dropFirst(digits).hasPrefix(". ") ? digits + 2 : 0
    }
}
