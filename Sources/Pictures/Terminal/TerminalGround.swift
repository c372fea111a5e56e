/// What of a map below the cells of a terminal can hold.
public struct TerminalGround: Sendable {
    /// Areas that shade cells, from the lowest to the highest.
    public var areas: [(rings: [[ScenePoint]], shade: TerminalShade)] = []
    /// Lines, from the lowest to the highest.
    public var lines: [(points: [ScenePoint], stroke: Stroke)] = []
    /// Names with their symbols, and words on the lines that they name, written where room is left; the most important
    /// first.
    public var names: [TerminalSymbol] = []

    /// An empty one.
    public init() {}
}

/// How a cell is shaded.
public struct TerminalShade: Sendable, Hashable {
    /// The colour of its ground.
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
