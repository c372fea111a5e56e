/// Splits text of several lines into entries, as when pasted at the prompt.
public enum EntrySplitter {
    /// One entry of a text.
    public struct Entry: Sendable, Hashable {
        /// Its lines.
        public let text: String
        /// Its first UTF-8 byte in the whole text.
        public let start: Int
    }

    /// Maximum number of lines of an entry: completeness is checked after each line, so longer entries take the
    /// rest of the text.
    private static let mostLines = 1000

    /// An entry ends at the line that completes it; empty lines and comment lines between entries are skipped.
    public static func entries(of text: String) -> [Entry] {
        var entries: [Entry] = []
        var (open, start, lines, position) = ("", 0, 0, 0)
        func close() {
            if !isEmpty(open) { entries.append(Entry(text: open, start: start)) }
            (open, lines) = ("", 0)
        }
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if lines == 0 { start = position } else { open += "\n" }
            open += Substring(line)
            lines += 1
            position += line.count + 1
            if lines < mostLines, !Completeness.isIncomplete(open) { close() }
        }
        close()
        return entries
    }

    private static func isEmpty(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
