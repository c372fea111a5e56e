import Pictures

/// How many cells of a terminal a text takes.
enum TextWidth {
    static func of(_ text: String) -> Int {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return text.utf8.count }
        return DisplayWidth.of(text)
    }

    /// The text with control characters shown as `·`, so that data cannot move the cursor or set colours.
    static func withoutControls(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 != 127 }) && !text.unicodeScalars.contains(where: isC1) {
            return text
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.value < 32 || $0.value == 127 || isC1($0) ? "·" : $0 }))
    }

    private static func isC1(_ scalar: Unicode.Scalar) -> Bool { (0x80...0x9f).contains(scalar.value) }

    /// The text cut to a width, with `…` at its end when something was cut.
    static func fitted(_ text: String, to width: Int) -> String {
        if of(text) <= width { return text }
        var out = ""
        var used = 0
        for character in text {
            let cells = of(String(character))
            if used + cells > width - 1 { break }
            out.append(character)
            used += cells
        }
        return out + "…"
    }

    static func padded(_ text: String, to width: Int, right: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - of(text)))
        return right ? blanks + text : text + blanks
    }
}
