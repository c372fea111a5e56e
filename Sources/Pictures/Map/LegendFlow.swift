/// Sets the entries of a legend one after the other and breaks the line between words.
struct LegendFlow {
    let columns: Int
    let maximum: Int
    let style: TerminalStyle
    private var lines: [String] = []
    private var line: StyledLine
    private var width = 0
    private var isAfterSymbol = false
    private var dropped = 0

    private static let gap = 3
    private static let indent = 2

    init(columns: Int, maximum: Int, style: TerminalStyle) {
        self.columns = columns
        self.maximum = maximum
        self.style = style
        line = StyledLine(colors: style.colors)
    }

    /// Starts an entry with its symbol, on a new line where little room is left.
    mutating func begin(_ symbol: String, color: Color) {
        let length = DisplayWidth.of(symbol)
        let gap = width == 0 ? 0 : Self.gap
        if width > 0, width + gap + length + columns / 5 > columns { breakLine() }
        if width > 0 { append(String(repeating: " ", count: Self.gap), nil) }
        append(symbol, color)
        isAfterSymbol = true
    }

    /// Adds a label to the entry.
    mutating func add(_ label: String) {
        let mark: Character = style.glyphs == .plain ? "~" : "…"
        let words = DisplayWidth.truncated(label, to: max(1, columns - Self.indent), mark: mark)
        if width + 1 + DisplayWidth.of(words) > columns, !isAfterSymbol || width > Self.indent {
            breakLine()
            append(String(repeating: " ", count: Self.indent), nil)
        } else {
            append(" ", nil)
        }
        if lines.count >= maximum { dropped += 1 }
        append(words, nil)
        isAfterSymbol = false
    }

    /// The lines; where they are too many, the last says how many labels were left out.
    mutating func finished() -> [String] {
        if width > 0 { breakLine() }
        guard dropped > 0 else { return lines }
        return lines.prefix(maximum) + ["  and \(dropped) more"]
    }

    private mutating func append(_ text: String, _ color: Color?) {
        line.append(text, color)
        width += DisplayWidth.of(text)
    }

    private mutating func breakLine() {
        lines.append(line.finished())
        line = StyledLine(colors: style.colors)
        width = 0
    }
}
