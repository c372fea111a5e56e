import GRDB
import PluginKit
import TrailStores

/// Rows that refer by a foreign key to rows that are not in the copy: they go into the table beside theirs, so that a program
/// that enforces its keys can use the copy.
struct MissingParents {
    /// What became of a table's rows.
    struct Outcome {
        var moved = 0
        /// Why they cannot be told; `nil` where they can.
        var problem: String?
    }

    /// Rows that hang on one another by a chain of references go one link at a time, so many at most.
    private static let mostLinks = 100

    let copy: PlainConnection
    let check: () throws -> Void

    /// Moves such rows; returns what became of the tables that have any.
    func move(_ tables: [CopyTable]) throws -> [String: Outcome] {
        var outcomes: [String: Outcome] = [:]
        let referring = tables.filter { table in
            copy.integer("SELECT count(*) FROM pragma_foreign_key_list(\(table.name.sqlLiteral))") ?? 0 > 0
        }
        for _ in 0..<Self.mostLinks {
            var isDone = true
            for table in referring where outcomes[table.name]?.problem == nil {
                try check()
                do {
                    let count = try move(table)
                    if count == 0 { continue }
                    outcomes[table.name, default: Outcome()].moved += count
                    isDone = false
                } catch let failure as DatabaseError where !failure.isInterruption {
                    outcomes[table.name, default: Outcome()].problem = failure.reason
                }
            }
            if isDone { return outcomes }
        }
        for table in referring where outcomes[table.name]?.problem == nil {
            let rest = copy.rows("PRAGMA foreign_key_check(\(table.name.sqlLiteral))").reduce(0) { sum, _ in
                sum + 1
            }
            if rest > 0 { outcomes[table.name, default: Outcome()].problem = "\(rest) more refer to them" }
        }
        return outcomes
    }

    private func move(_ table: CopyTable) throws -> Int {
        let complaints = try RawStatement(
            copy.handle, "PRAGMA foreign_key_check(\(table.name.sqlLiteral))")
        var numbers: Set<Int64> = []
        var keys: Set<Int64> = []
        while try complaints.next() {
            if numbers.count & 0xFF == 0 { try check() }
            if !complaints.isNull(1) { numbers.insert(complaints.integer(1)) }
            keys.insert(complaints.integer(3))
        }
        if !numbers.isEmpty { return try table.moveAside(numbers.sorted(), check) }
        // Without numbers, by the values that no parent has.
        return try keys.sorted().reduce(0) {
            try $0 + table.moveAside(where: condition(table, key: $1), check)
        }
    }

    /// What is true for the rows whose parent by a foreign key is missing.
    private func condition(_ table: CopyTable, key: Int64) throws(DatabaseError) -> String {
        let list = try RawStatement(
            copy.handle,
            """
            SELECT "table", "from", "to" FROM pragma_foreign_key_list(\(table.name.sqlLiteral)) WHERE id = \(key)
            ORDER BY seq
            """)
        var pairs: [(own: String, other: String)] = []
        var parent = ""
        while try list.next() {
            parent = list.text(0) ?? ""
            let primary = copy.texts(
                "SELECT name FROM pragma_table_info(\(parent.sqlLiteral)) WHERE pk = \(pairs.count + 1)")
            pairs.append((list.text(1) ?? "", list.text(2) ?? primary.first ?? ""))
        }
        let own = pairs.map { "child.\($0.own.sqlIdentifier) IS NOT NULL" }
        let isThere = copy.integer("SELECT 1 FROM pragma_table_info(\(parent.sqlLiteral)) LIMIT 1") != nil
        guard isThere else { return own.joined(separator: " AND ") }
        let same = pairs.map { "parent.\($0.other.sqlIdentifier) = child.\($0.own.sqlIdentifier)" }
        return
            (own + [
                "NOT EXISTS (SELECT 1 FROM \(parent.sqlIdentifier) AS parent WHERE \(same.joined(separator: " AND ")))"
            ]).joined(separator: " AND ")
    }
}
