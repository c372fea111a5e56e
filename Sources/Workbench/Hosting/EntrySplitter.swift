/// The entries of a text of several lines, as when they are pasted at the prompt.
public enum EntrySplitter {
    /// One entry of a text.
    public struct Entry: Sendable, Hashable {
        /// Its lines.
        public let text: String
        /// Its first UTF-8 byte in the whole text.
        public let start: Int
    }

    /// An entry of more lines takes all that follows: whether it is complete is asked after each line.
    private static let mostLines = 1000

    /// An entry ends with a line that is complete; empty lines between entries and lines of comments alone are none.
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
