/// Computes libedit's cursor position on the screen.
///
/// libedit does not expose it. After a resize, redrawing starts at the first row of the prompt.
enum ScreenLayout {
    /// The cursor's row, relative to the first row of the prompt.
    static func cursorRow(prompt: String, text: Scalars, cursor: Int, width: Int) -> Int {
        guard width > 0 else { return 0 }
        var row = 0
        var column = 0
        func advance(by columns: Int) {
            if columns > 1, column + columns > width {
                row += 1
                column = 0
            }
            column += columns
            if column >= width {
                row += 1
                column -= width
            }
        }
        for scalar in prompt.unicodeScalars { advance(by: EditorColumns.of(scalar) ?? 0) }
        for value in text.prefix(cursor) {
            switch value {
            case 0x0A:
                row += 1
                column = 0
            case 0x09: advance(by: 8 - column % 8)
            default: advance(by: columns(of: value))
            }
        }
        return row
    }

    /// libedit shows control characters as `^X` and nonprinting ones as `\U+1234`.
    private static func columns(of value: UInt32) -> Int {
        if value < 0x20 || (0x7F...0x9F).contains(value) { return 2 }
        let width = Unicode.Scalar(value).flatMap(EditorColumns.of)
        return width ?? (value > 0xFFFF ? 8 : 7)
    }
}
