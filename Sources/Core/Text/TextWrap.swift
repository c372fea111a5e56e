/// Breaks text into lines.
public enum TextWrap {
    /// The text with its paragraphs broken at blanks to a width in columns. Every line of the text is a paragraph; further lines of
    /// one begin with the indentation.
    public static func wrapped(_ text: String, to width: Int, indentation: String = "") -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty && DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) > width {
                    lines.append(line)
                    line = indentation + word
                } else {
                    line += line.isEmpty ? String(word) : " " + word
                }
            }
            return (lines + [line]).joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
