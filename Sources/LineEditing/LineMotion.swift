/// Moving up and down within an entry of several lines.
enum LineMotion {
    /// The offset a line above, in the same column if there is one; nil on the first line.
    static func up(in text: Scalars, from cursor: Int) -> Int? {
        let start = lineStart(in: text, at: cursor)
        guard start > 0 else { return nil }
        let previous = lineStart(in: text, at: start - 1)
        return min(previous + cursor - start, start - 1)
    }

    /// The offset a line below; nil on the last line.
    static func down(in text: Scalars, from cursor: Int) -> Int? {
        guard let end = text[cursor...].firstIndex(of: Key.newline) else { return nil }
        let next = end + 1
        let nextEnd = text[next...].firstIndex(of: Key.newline) ?? text.count
        return min(next + cursor - lineStart(in: text, at: cursor), nextEnd)
    }

    private static func lineStart(in text: Scalars, at offset: Int) -> Int {
        text[..<offset].lastIndex(of: Key.newline).map { $0 + 1 } ?? 0
    }
}
