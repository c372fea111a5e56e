/// A base map reduced to the cells of a terminal.
public struct TerminalGround: Sendable {
    /// Areas that shade cells, from the lowest to the highest.
    public var areas: [(rings: [[ScenePoint]], shade: TerminalShade)] = []
    /// Lines, from the lowest to the highest.
    public var lines: [(points: [ScenePoint], stroke: Stroke)] = []
    /// Names with their symbols, and names along lines, written where space is left; the most important
    /// first.
    public var names: [TerminalSymbol] = []

    /// An empty base map.
    public init() {}
}

/// The shade of a cell.
public struct TerminalShade: Sendable, Hashable {
    /// The colour of its background.
    public var color: Color
    /// The replacement without colours.
    public var symbol: Character
    /// The same in ASCII.
    public var ascii: Character

    /// A shade.
    public init(color: Color, symbol: Character, ascii: Character) {
        self.color = color
        self.symbol = symbol
        self.ascii = ascii
    }
}
