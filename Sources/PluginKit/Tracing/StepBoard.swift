import Core

/// An algorithm's state at a step, as a table drawn by the workbench: candidates with their scores, or the
/// fields of records side by side. For algorithms whose state cannot be shown on a map or chart.
public struct StepBoard: DomainObject {
    /// The outcome of a row. Each has its own sign, so that colour is not needed.
    public enum Mark: String, Sendable, Hashable, CaseIterable {
        /// Not decided.
        case waiting
        /// The subject of the current step.
        case present
        /// Kept.
        case kept
        /// Rejected.
        case refused
        /// The best so far.
        case best
    }

    /// A row with its mark.
    public struct Row: Sendable, Hashable {
        /// Its cells, as many as there are columns.
        public var cells: [String]
        /// Its outcome.
        public var mark: Mark

        /// A row.
        public init(_ cells: [String], _ mark: Mark = .waiting) { (self.cells, self.mark) = (cells, mark) }
    }

    /// Its title.
    public let title: String
    /// Its column headers.
    public let columns: [String]
    /// Its rows, from the first.
    public let rows: [Row]
    /// The current step's reason.
    public let caption: String

    /// A board.
    public init(_ title: String, columns: [String], rows: [Row], caption: String = "") {
        (self.title, self.columns, self.rows, self.caption) = (title, columns, rows, caption)
    }

    /// A row for each of the steps of some kinds, with these of their values; the last step is the current one.
    public init(
        _ title: String, listing kinds: Set<String>, of steps: ArraySlice<TraceStep>, columns: [String],
        mark: (TraceStep) -> Mark
    ) {
        let listed = steps.indices.filter { kinds.contains(steps[$0].kind) }
        let rows = listed.map { index in
            let step = steps[index]
            return Row(
                columns.map { step.values[$0].map(Self.text) ?? "" },
                index == steps.endIndex - 1 ? .present : mark(step))
        }
        self.init(title, columns: columns, rows: rows, caption: steps.last?.why ?? "")
    }

    /// A value as a cell.
    public static func text(_ value: Value) -> String {
        switch value {
        case .nothing: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): DecimalText.trimmed(number, decimals: 3)
        case .boolean(let flag): flag ? "yes" : "no"
        case .quantity(let quantity): Literal.quantity(quantity)
        case .coordinate(let place): Literal.coordinate(place)
        case .list(let items): items.map(text).joined(separator: " ")
        case .object(let object): object.summary
        default: value.kindName
        }
    }

    /// `board`.
    public var typeName: String { "board" }
    /// Its title, columns and the number of rows.
    public var fieldNames: [String] { ["title", "columns", "rows", "caption"] }
    /// The title.
    public var summary: String { title }

    /// A field.
    public func field(_ name: String) -> Value? {
        switch name {
        case "title": .text(title)
        case "columns": .list(columns.map { .text($0) })
        case "rows": .integer(rows.count)
        case "caption": .text(caption)
        default: nil
        }
    }
}

/// Draws each step as a board.
public struct BoardPicturing: TracePicturing {
    private let board: @Sendable (ArraySlice<TraceStep>) -> StepBoard

    /// Boards that a closure computes from the steps so far.
    public init(_ board: @escaping @Sendable (ArraySlice<TraceStep>) -> StepBoard) { self.board = board }

    /// The board after the last of the steps.
    public func picture(after steps: ArraySlice<TraceStep>) -> any DomainObject { board(steps) }
}

extension TraceStep {
    /// The first step of a trace: where and why an algorithm starts.
    public static func start(_ values: [(String, Value)] = [], why: String) -> TraceStep {
        TraceStep("start", values, why: why)
    }

    /// The last step of a trace: why an algorithm stops, and its result.
    public static func end(_ values: [(String, Value)] = [], why: String) -> TraceStep {
        TraceStep("end", values, why: why)
    }
}
