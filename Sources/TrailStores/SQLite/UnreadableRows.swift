import Logging
import PluginKit
import Synchronization

/// Unreadable rows of a store, listed after the readable ones: a bad row never hides the others.
public struct UnreadableRows: Sendable {
    private let problems: [RowProblem]
    /// The problems of rows that are used without some values.
    private let partial: [RowProblem]

    /// The rows with these problems.
    public init(_ problems: [RowProblem]) {
        self.problems = problems.filter { !$0.isUsed }
        partial = problems.filter(\.isUsed)
    }

    /// A list of the readable rows, then of the others with the reason in a column `problem`.
    public func table<O: DomainObject>(_ objects: [O], columns: [String]) -> Value {
        var rows = rows(objects, columns: columns)
        rows.account = account(used: objects.count)
        return .rows(rows)
    }

    private func rows<O: DomainObject>(_ objects: [O], columns: [String]) -> Rows {
        guard !problems.isEmpty else {
            guard let words = partialWords else { return Rows(objects: objects, columns: columns) }
            return Rows(objects.map { .object($0) }, columns: columns, note: words)
        }
        let bad = problems.map { problem in
            let id = problem.id.map { String($0.prefix(Self.shownID)).lowercased() } ?? "row \(problem.row)"
            return Value.record(Record(keys: Self.keys, values: [.text(id), .text(problem.what)]))
        }
        let count = problems.count
        return Rows(
            objects.map { .object($0) } + bad, columns: columns + ["problem"],
            note: "\(count, of: "row") cannot be read; `store check` lists every problem"
                + (partialWords.map { ". \($0)" } ?? ""))
    }

    /// The values that are left out; `nil` if there are none.
    private var partialWords: String? {
        guard let first = partial.first else { return nil }
        return
            "\(partial.count, of: "row") without impossible values, such as row \(first.row): \(first.what)"
    }

    /// What became of the rows of a table.
    public func account(used: Int) -> SourceAccount {
        var entries: [SourceAccount.Entry] = []
        for problem in problems + partial {
            let place = "row \(problem.row)"
            // A problem may begin with the identifier of its row.
            var kind = problem.what[...]
            if let id = problem.id, let start = kind.range(of: "\(id): ") { kind = kind[start.upperBound...] }
            let what = problem.isUsed ? "without a value (\(kind))" : String(kind)
            if let index = entries.firstIndex(where: { $0.what == what }) {
                entries[index].count += 1
                if entries[index].first.count < Self.examples { entries[index].first.append(place) }
            } else {
                entries.append(.init(problem.isUsed ? .kept : .setAside, what, count: 1, first: [place]))
            }
        }
        return SourceAccount(parts: [
            .init(
                item: "row", seen: used + problems.count, used: max(0, used - partial.count), entries: entries
            )
        ])
    }

    /// Rows of one problem that an account names.
    private static let examples = 3

    /// The identifier and the problem of an unreadable row in a list; `nil` for other rows.
    public static func problem(of row: Value) -> String? {
        guard case .record(let record) = row, Array(record.keys) == keys,
            case .text(let id)? = record["id"], case .text(let what)? = record["problem"]
        else { return nil }
        return "\(id): \(what)"
    }

    private static let keys = ["id", "problem"]
    private static let shownID = 8
}

/// How unreadable rows in lists are handled: an error, or a notice and the other rows. Commands show the
/// readable rows and report the skipped ones. Code that copies rows elsewhere must not interpret an
/// unreadable row as deleted.
public final class UnreadablePolicy: Sendable {
    private let log = Mutex<Logger?>(nil)
    private static let listed = 3

    init() {}

    /// Skips unreadable rows in later reads and reports them to a logger.
    public func skip(reportingTo logger: Logger) { log.withLock { $0 = logger } }

    /// The rows of a statement whose first column is the row number and whose second is the identifier.
    static func reading<T>(
        _ policy: UnreadablePolicy?, _ name: String, _ row: RawStatement,
        _ read: (RawStatement) throws(RutterError) -> T
    ) throws -> [T] {
        let log = policy?.log.withLock { $0 }
        var found: [T] = []
        var problems: [String] = []
        var count = 0
        while try row.next() {
            do throws(RutterError) { found.append(try read(row)) } catch {
                guard log != nil else { throw error }
                count += 1
                if count <= listed { problems.append("row \(row.integer(0)): \(error.message)") }
            }
        }
        if count > 0 {
            let more = count > listed ? "; …" : ""
            let what =
                count == 1
                ? "1 row of \(name) cannot be read and is" : "\(count) rows of \(name) cannot be read and are"
            log?.notice("\(what) skipped: \(problems.joined(separator: "; "))\(more)")
        }
        return found
    }
}
