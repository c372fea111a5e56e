import PluginKit

/// Rows of a store that cannot be read, listed after those that can: one bad row never hides the others.
public struct UnreadableRows: Sendable {
    private let problems: [RowProblem]

    /// Nothing is listed where there are no problems.
    public init(_ problems: [RowProblem]) { self.problems = problems }

    /// A list of the readable rows, then of the others with the reason in a column `problem`.
    public func table<O: DomainObject>(_ objects: [O], columns: [String]) -> Value {
        guard !problems.isEmpty else { return .table(objects: objects, columns: columns) }
        let keys = ["id", "problem"]
        let bad = problems.map { problem in
            let id = problem.id.map { String($0.prefix(Self.shownID)).lowercased() } ?? "row \(problem.row)"
            return Value.record(Record(keys: keys, values: [.text(id), .text(problem.what)]))
        }
        let count = problems.count
        return .table(
            columns: columns + ["problem"], rows: objects.map { .object($0) } + bad,
            note: "\(count) row\(count == 1 ? "" : "s") cannot be read; `store check` lists every problem")
    }

    private static let shownID = 8
}
