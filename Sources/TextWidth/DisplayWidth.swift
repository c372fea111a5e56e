/// The number of terminal cells of a text.
///
/// Counted by user-perceived characters: East Asian wide and full-width ones take two, combining and invisible
/// ones none, an emoji two however many code points it is made of. Characters of ambiguous width take one, as
/// terminals do outside East Asian locales. A control character, a line break or a tab takes none: callers must
/// remove them first. Escape sequences are not recognised.
public enum DisplayWidth {
    /// Cells the whole text takes in one line.
    public static func of(_ text: some StringProtocol) -> Int {
        let isPrintableASCII = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        if isPrintableASCII { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// Cells one character takes: 0, 1 or 2.
    public static func of(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar.value == emojiPresentation { return 2 }
            width += of(scalar)
        }
        return min(width, 2)
    }

    /// The longest prefix of a text that fits into that many cells.
    public static func prefix(_ text: String, fitting cells: Int) -> String {
        var left = cells
        var end = text.startIndex
        for index in text.indices {
            left -= of(text[index])
            if left < 0 { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }

    /// The text cut to that many cells, ending in `…` (or `~` in plain ASCII) where something was cut off.
    public static func truncated(_ text: String, to cells: Int, mark: Character = "…") -> String {
        guard of(text) > cells else { return text }
        guard cells > 0 else { return "" }
        return prefix(text, fitting: cells - 1) + String(mark)
    }

    /// The text with spaces added until it takes that many cells: behind it, or before it to align it right.
    public static func padded(_ text: String, to cells: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, cells - of(text)))
        return right ? blanks + text : text + blanks
    }

    private static let emojiPresentation: UInt32 = 0xFE0F

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        let code = scalar.value
        if code < 0x20 || (0x7F..<0xA0).contains(code) { return 0 }
        if code < 0x300 { return 1 }
        if contains(WidthTables.zero, code) { return 0 }
        return contains(WidthTables.wide, code) ? 2 : 1
    }

    private static func contains(_ ranges: [ClosedRange<UInt32>], _ code: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].contains(code) { return true }
            if ranges[middle].lowerBound > code { high = middle } else { low = middle + 1 }
        }
        return false
    }
}
