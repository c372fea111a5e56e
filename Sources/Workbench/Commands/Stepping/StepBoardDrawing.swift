import Pictures
import PluginKit

extension StepBoard {
    /// The board as a picture.
    var board: Board {
        Board(title, columns: columns, rows: rows.map { ($0.cells, $0.mark.sign) }, caption: caption)
    }

    /// The board as a drawing, for display.
    var drawing: Drawing {
        let board = board
        return Drawing(
            typeName: typeName, scene: { board.scene() },
            text: { style, columns in board.terminal(columns: columns, style: style) },
            facts: Record(fieldNames.map { ($0, field($0) ?? .nothing) }))
    }
}

extension StepBoard.Mark {
    /// How a mark is drawn.
    fileprivate var sign: Board.Sign {
        switch self {
        case .waiting: Board.Sign("·", ascii: ".", color: StepPalette.refused, words: "not decided")
        case .present: Board.Sign("▶", ascii: ">", color: StepPalette.present, words: "current")
        case .kept: Board.Sign("✓", ascii: "+", color: StepPalette.accepted, words: "taken")
        case .refused: Board.Sign("✗", ascii: "x", color: StepPalette.lesser, words: "left out")
        case .best: Board.Sign("★", ascii: "*", color: StepPalette.subject, words: "best")
        }
    }
}
