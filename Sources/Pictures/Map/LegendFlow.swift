import Core

/// Lays out legend entries in lines, with breaks between words.
struct LegendFlow {
    let columns: Int
    let maximum: Int
    let style: TerminalStyle
    private var lines: [String] = []
    private var line: StyledLine
    private var width = 0
    private var pending: (symbol: String, color: Color)?
    private var dropped = 0

    private static let gap = 3
    private static let indent = 2

    init(columns: Int, maximum: Int, style: TerminalStyle) {
        self.columns = columns
        self.maximum = maximum
        self.style = style
        line = StyledLine(colors: style.colors)
    }

    /// Starts an entry with its symbol, which stays beside its first label.
    mutating func begin(_ symbol: String, color: Color) {
        pending = (symbol, color)
    }

    /// Adds a label to the entry.
    mutating func add(_ label: String) {
        let lead = pending.map { DisplayWidth.of($0.symbol) + 1 } ?? Self.indent
        let mark: Character = style.glyphs == .plain ? "~" : "…"
        let words = DisplayWidth.truncated(label, to: max(1, columns - lead), mark: mark)
        let gap = width == 0 ? 0 : pending == nil ? 1 : Self.gap
        let length = (pending == nil ? 0 : lead) + DisplayWidth.of(words)
        if width > 0, width + gap + length > columns { breakLine() }
        if width > 0 { append(String(repeating: " ", count: gap), nil) }
        if let pending {
            append(pending.symbol, pending.color)
            append(" ", nil)
        } else if width == 0 {
            append(String(repeating: " ", count: Self.indent), nil)
        }
        if lines.count >= maximum { dropped += 1 }
        append(words, nil)
        pending = nil
    }

    /// The lines; if there are too many, the last counts the omitted labels.
    mutating func finished() -> [String] {
        if width > 0 { breakLine() }
        guard dropped > 0 else { return lines }
        let mark: Character = style.glyphs == .plain ? "~" : "…"
        return lines.prefix(maximum) + [
            DisplayWidth.truncated("  and \(dropped) more", to: columns, mark: mark)
        ]
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
