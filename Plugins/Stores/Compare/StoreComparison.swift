import Foundation
import GRDB
import PluginKit
import TrailStores

/// Compares two stores by table, row in key order, and field. Both are read once, side by side; only the
/// differences are kept.
package struct StoreComparison: Sendable {
    /// A table to compare: its key columns and the columns compared.
    struct Plan {
        let table: String
        /// SQL of the parts of the key.
        let keys: [String]
        let columns: [String]
        let remarks: [String]
        /// The side that has the table, if only one does.
        var only: StoreDifference.Change?
        /// The rows that are not byte-identical; `nil` if all are to be read.
        var rest: PagePair.Rest?
    }

    private let first: StoreConnection
    private let second: StoreConnection
    private let ignored: Set<String>
    private let only: String?
    private let readsPages: Bool

    /// A comparison; may ignore columns, or be limited to one table. Without `readsPages` SQLite reads all
    /// rows.
    package init(
        _ first: StoreConnection, _ second: StoreConnection, ignoring: Set<String> = [], table: String? = nil,
        readsPages: Bool = true
    ) {
        self.readsPages = readsPages
        self.first = first
        self.second = second
        ignored = ignoring
        only = table
    }

    /// The differences. Stops when the task is cancelled.
    package func run(progress: ProgressReporter) async throws -> StoreDifference {
        // Before the comparison: a connection cannot be queried while it is reading.
        let kinds = [try StoreRecognition(first).kind, try StoreRecognition(second).kind]
        return try await first.stoppableRead { left, signal in
            // Both may be the same store.
            let pages =
                self.readsPages ? PagePair(self.first, self.second) { try signal.check() } : nil
            // Its files are closed after the last statement.
            defer { withExtendedLifetime(pages) {} }
            return try self.second.queue.unsafeReentrantRead { right in
                var result = StoreDifference()
                // Pages and SQLite's rows must belong to the same state.
                try right.inSavepoint {
                    result = try Self.run(
                        left, right, plans: try self.plans(left, right, kinds, pages), signal: signal,
                        progress: progress)
                    return .commit
                }
                try self.second.checkUnchanged()
                return result
            }
        }
    }

    private static func run(
        _ left: Database, _ right: Database, plans: [Plan], signal: StopSignal, progress: ProgressReporter
    ) throws -> StoreDifference {
        var result = StoreDifference()
        for plan in plans {
            do {
                try compare(plan, left, right, &result) { done in
                    try signal.check()
                    if done % StoreSettings.batchStep == 0 {
                        progress.report("comparing \(plan.table)", done: done)
                    }
                }
            } catch let failure as DatabaseError where failure.resultCode == .SQLITE_CORRUPT {
                try signal.check()
                throw StoreErrors.corrupt(
                    "\(plan.table) cannot be read: \(failure.reason)",
                    fix: "recover readable rows with `store repair FILE --out COPY`, and compare the copy")
            }
        }
        return result
    }

    private static func compare(
        _ plan: Plan, _ first: Database, _ second: Database, _ result: inout StoreDifference,
        _ step: (Int) throws -> Void
    ) throws {
        var count = StoreDifference.Count(table: plan.table)
        count.remarks = plan.remarks
        // A table with unreadable columns has no rows to compare.
        if plan.keys.isEmpty { return result.counts.append(count) }
        if let side = plan.only {
            return try list(plan, side, side == .onlyFirst ? first : second, count, &result, step)
        }
        let list = (plan.keys + plan.columns.map(\.sqlIdentifier)).joined(separator: ", ")
        let order = (1...plan.keys.count).map(String.init).joined(separator: ", ")
        func cursor(_ db: Database, _ numbers: [Int64]?) throws -> RowCursor {
            let those =
                numbers == nil ? "" : " WHERE _rowid_ IN (SELECT value FROM json_each(?))"
            return try RowCursor(
                db, "SELECT \(list) FROM \(plan.table.sqlIdentifier)\(those) ORDER BY \(order)",
                keys: plan.keys.count, numbers: numbers)
        }
        count.same = plan.rest?.same ?? 0
        let left = try cursor(first, plan.rest?.first)
        let right = try cursor(second, plan.rest?.second)
        try left.advance()
        try right.advance()
        var rows = 0
        while !left.isAtEnd || !right.isAtEnd {
            rows += 1
            try step(rows)
            let direction = left.isAtEnd ? 1 : right.isAtEnd ? -1 : left.compareKey(right)
            if direction < 0 {
                count.onlyFirst += 1
                result.add(
                    .init(
                        table: plan.table, key: left.key, change: .onlyFirst, field: nil, first: nil,
                        second: nil))
                try left.advance()
            } else if direction > 0 {
                count.onlySecond += 1
                result.add(
                    .init(
                        table: plan.table, key: right.key, change: .onlySecond, field: nil, first: nil,
                        second: nil))
                try right.advance()
            } else {
                var differs = false
                for index in plan.columns.indices where !left.isSame(right, index) {
                    differs = true
                    result.add(
                        .init(
                            table: plan.table, key: left.key, change: .different, field: plan.columns[index],
                            first: left.cell(index), second: right.cell(index)))
                }
                if differs { count.different += 1 } else { count.same += 1 }
                try left.advance()
                try right.advance()
            }
        }
        result.counts.append(count)
    }

    /// The rows of a table that exists in one store only.
    private static func list(
        _ plan: Plan, _ side: StoreDifference.Change, _ db: Database, _ count: StoreDifference.Count,
        _ result: inout StoreDifference, _ step: (Int) throws -> Void
    ) throws {
        var count = count
        let sql = "SELECT \(plan.keys.joined(separator: ", ")) FROM \(plan.table.sqlIdentifier)"
        let rows = try RowCursor(db, sql, keys: plan.keys.count)
        try rows.advance()
        var number = 0
        while !rows.isAtEnd {
            number += 1
            try step(number)
            result.add(
                .init(table: plan.table, key: rows.key, change: side, field: nil, first: nil, second: nil))
            try rows.advance()
        }
        if side == .onlyFirst { count.onlyFirst = number } else { count.onlySecond = number }
        result.counts.append(count)
    }

    // MARK: Plans

    private func plans(
        _ left: Database, _ right: Database, _ kinds: [StoreKind], _ pages: PagePair?
    ) throws -> [Plan] {
        let known = kinds.compactMap(StoreFormat.of).flatMap(\.tables)
        let (a, b) = (try StoreTables(left, known), try StoreTables(right, known))
        var plans: [Plan] = []
        for name in a.names + b.names.filter({ !a.names.contains($0) }) {
            if let only, only != name { continue }
            guard let one = a.columns[name], let other = b.columns[name] else {
                plans.append(Self.single(name, a.columns[name], b.columns[name]))
                continue
            }
            plans.append(try plan(name, one, other, known, (left, right), pages))
        }
        if plans.isEmpty, let only {
            throw StoreErrors.schema("neither store has a table \(only)", at: .parameter("table"))
        }
        return plans.filter { $0.only == nil } + plans.filter { $0.only != nil }
    }

    /// The plan of a table that exists in one store only.
    private static func single(
        _ name: String, _ one: StoreTables.Columns?, _ other: StoreTables.Columns?
    ) -> Plan {
        let present = one ?? other
        let isFirst = one != nil
        let named = present.map { $0.key.isEmpty && !$0.hasRowID ? $0.names : $0.key } ?? []
        let keys = named.isEmpty && present?.hasRowID == true ? ["_rowid_"] : named.map(\.sqlIdentifier)
        return Plan(
            table: name, keys: keys, columns: [],
            remarks: ["not in the \(isFirst ? "second" : "first") store"],
            only: isFirst ? .onlyFirst : .onlySecond)
    }

    private func plan(
        _ name: String, _ one: StoreTables.Columns, _ other: StoreTables.Columns,
        _ known: [StoreFormat.Table],
        _ stores: (Database, Database), _ pages: PagePair?
    ) throws -> Plan {
        let isNumbered =
            one.hasRowID && other.hasRowID && !one.names.contains { $0.lowercased() == "_rowid_" }
        let rest = isNumbered ? try pages?.rest(of: name, stores.0, stores.1) : nil
        let format = known.first { $0.name == name }
        let shared = one.names.filter { other.names.contains($0) }
        var key = one.key
        if let format, format.key.allSatisfy(shared.contains) { key = format.key }
        if key.isEmpty || !key.allSatisfy(shared.contains) { key = [] }
        // UUIDs are equal in upper and lower case.
        let isUUID = format?.hasUUIDKey ?? false
        var keys = key.map { isUUID ? "upper(\($0.sqlIdentifier))" : $0.sqlIdentifier }
        // The index gives the order; only lower-case identifiers need an expression.
        if isUUID, rest == nil, let column = key.first,
            !(try [stores.0, stores.1].contains { try Self.hasLowerCase(name, column, $0) })
        {
            keys = [column.sqlIdentifier]
        }
        if keys.isEmpty { keys = one.hasRowID && other.hasRowID ? ["_rowid_"] : shared.map(\.sqlIdentifier) }
        // Documents are matched by their identifiers too, independent of their position in the file.
        let isDocument = DocumentImage.isTable(name, shared)
        if isDocument { keys = ["upper(id)"] }
        var remarks: [String] = []
        for (columns, rest, ordinal) in [(one, other, "second"), (other, one, "first")] {
            let missing = columns.names.filter { !rest.names.contains($0) && !ignored.contains($0) }
            if !missing.isEmpty {
                remarks.append("the \(ordinal) store has no \(missing.joined(separator: ", "))")
            }
        }
        let compared = shared.filter {
            !ignored.contains($0) && (isUUID || !key.contains($0))
                && !(isDocument && $0 == DocumentImage.position)
        }
        return Plan(table: name, keys: keys, columns: compared, remarks: remarks, rest: rest)
    }

    private static func hasLowerCase(_ table: String, _ column: String, _ db: Database) throws -> Bool {
        let name = column.sqlIdentifier
        let sql = "SELECT 1 FROM \(table.sqlIdentifier) WHERE \(name) <> upper(\(name)) LIMIT 1"
        return try Int.fetchOne(db, sql: sql) != nil
    }
}

/// The tables of a store with rows of their own: without those of SQLite or of virtual tables.
struct StoreTables {
    struct Columns {
        let names: [String]
        let key: [String]
        let hasRowID: Bool
    }

    let names: [String]
    let columns: [String: Columns]

    init(_ db: Database, _ known: [StoreFormat.Table] = []) throws {
        let rows = try TypedRow.all(
            db,
            """
            SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' \
            ESCAPE '\\' AND type IN ('table', 'view') ORDER BY name
            """, of: "pragma_table_list")
        // A view counts if the format defines it as a table, such as `tiles` in many map files.
        let views = Set(known.map(\.name))
        var names: [String] = []
        var columns: [String: Columns] = [:]
        for row in rows {
            let name: String = try row.require("name")
            let isTable = try row.require("type") == "table"
            guard isTable || views.contains(name) else { continue }
            let info = try TypedRow.all(
                db, "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1", of: name,
                arguments: [name]
            ).map { (name: try $0.require("name", as: String.self), key: try $0.require("pk", as: Int.self)) }
            names.append(name)
            columns[name] = Columns(
                names: info.map(\.name),
                key: info.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name),
                hasRowID: try isTable && row.require("wr") == 0)
        }
        self.names = names
        self.columns = columns
    }
}

/// The tables of a database.
enum StoreContents {
    /// The tables with rows of their own: without those of SQLite or of virtual tables.
    static func tables(_ db: Database) throws -> [String] { try StoreTables(db).names }
}
