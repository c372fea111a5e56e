/// An icon: an outline on a square grid, and one character for a terminal.
///
/// The names are those of the SF Symbols that apps use; the outlines are our own.
public struct IconGlyph: Sendable, Hashable {
    /// The name, as stored by apps.
    public let name: String
    /// The outline, filled even-odd, on a grid of `grid` units a side.
    public let path: PathData
    /// One character, one cell wide.
    public let symbol: Character
    /// One ASCII character.
    public let ascii: Character

    /// Units along a side of the grid.
    public static let grid = 24.0
    /// The fallback for unknown names.
    public static let fallbackName = "mappin"

    /// The icon of that name, or the pin.
    public static func named(_ name: String) -> IconGlyph {
        all.first { $0.name == name } ?? all.first { $0.name == fallbackName } ?? blank
    }

    /// All icons.
    public static let all: [IconGlyph] = IconTable.rows.compactMap { row in
        PathData(row.path).map { IconGlyph(name: row.name, path: $0, symbol: row.symbol, ascii: row.ascii) }
    }

    private static let blank = IconGlyph(name: "", path: PathData(steps: []), symbol: "*", ascii: "*")
}
