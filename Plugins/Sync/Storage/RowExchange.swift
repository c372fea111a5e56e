import GRDB
import TrailStores

/// Rows that pass unique values to each other in a circle: the store refuses each of them until another one is written. They
/// get intermediate values first, so that none is deleted meanwhile.
struct RowExchange {
    private let db: Database
    private let table: AppTable
    private let watch: DeletionWatch?
    /// The indices of the columns that some unique index covers.
    private let unique: Set<Int>

    init(_ db: Database, _ table: AppTable, watch: DeletionWatch?) throws {
        self.db = db
        self.watch = watch
        self.table = table
        let found = try RawStatement(
            db,
            """
            SELECT i.name FROM pragma_index_list(?) AS l, pragma_index_info(l.name) AS i WHERE l."unique" AND l.origin <> 'pk'
            """, arguments: [table.table])
        var names: Set<String> = []
        var hasExpression = false
        while try found.next() {
            if let name = found.text(0) { names.insert(name.lowercased()) } else { hasExpression = true }
        }
        // The columns of an expression are not listed.
        unique = Set(
            table.columns.indices.filter {
                !table.columns[$0].isBlob
                    && (hasExpression || names.contains(table.columns[$0].name.lowercased()))
            })
    }

    /// Writes what can be written of rows that were refused one by one; returns their records. `content` returns the bytes
    /// of a blob.
    func write(
        _ plans: [AppTable.Plan], _ content: (BlobReference) throws -> BlobCell?
    ) throws -> Set<RecordKey> {
        var circle = plans.filter { !passed($0).isEmpty }
        for _ in 0..<SyncSettings.exchangeAttempts where circle.count > 1 {
            try db.execute(sql: "SAVEPOINT rutter_exchange")
            let refused = try attempt(circle, content)
            if refused.isEmpty {
                try db.execute(sql: "RELEASE rutter_exchange")
                return Set(circle.map(\.key))
            }
            try db.execute(sql: "ROLLBACK TO rutter_exchange; RELEASE rutter_exchange")
            circle.removeAll { refused.contains($0.key) }
        }
        return []
    }

    /// The indices of the unique columns that an update changes.
    private func passed(_ plan: AppTable.Plan) -> [Int] {
        guard let before = plan.before, let after = plan.after else { return [] }
        return unique.filter { index in
            before.indices.contains(index) && after.indices.contains(index) && before[index] != after[index]
        }.sorted()
    }

    /// Clears the unique values of all rows, then writes the rows. Returns the records that are refused all the same.
    private func attempt(
        _ plans: [AppTable.Plan], _ content: (BlobReference) throws -> BlobCell?
    ) throws -> Set<RecordKey> {
        var writer = RowWriter(db, table, watch: watch)
        var fixed: Set<RecordKey> = []
        for (number, plan) in plans.enumerated() where try !clear(plan, number, &writer) {
            fixed.insert(plan.key)
        }
        if !fixed.isEmpty { return fixed }
        var rest = plans
        while !rest.isEmpty {
            let left = try rest.filter { plan in
                try AppTable.refusal(db) { try writer.write(plan, content) } != nil
            }
            if left.count == rest.count { break }
            rest = left.reversed()
        }
        return Set(rest.map(\.key))
    }

    /// Writes intermediate values that the table takes. Returns whether it takes any.
    private func clear(_ plan: AppTable.Plan, _ number: Int, _ writer: inout RowWriter) throws -> Bool {
        guard let before = plan.before else { return false }
        let indices = passed(plan)
        for choice in Intermediate.allCases {
            var row = before
            for index in indices {
                row[index].value = choice.value(
                    before[index].value, number, plan.key, isRequired: table.columns[index].isRequired)
            }
            // Whatever the row holds in a circle differs from it.
            if indices.contains(where: { row[$0] == before[$0] }) { continue }
            let step = AppTable.Plan(key: plan.key, before: before, after: row)
            if try AppTable.refusal(db, { try writer.write(step) { _ in nil } }) == nil { return true }
        }
        return false
    }

    /// Values that no other row has. A constraint of the app may forbid some of them.
    private enum Intermediate: CaseIterable {
        case none, short, long

        /// The largest numbers of a table are rarely near it.
        private static let far: Int64 = 2_000_000_000

        func value(_ old: FieldValue, _ number: Int, _ key: RecordKey, isRequired: Bool) -> FieldValue {
            if self == .none, !isRequired { return .absent }
            let near = -1 - Int64(number)
            let distance = self == .long ? Self.far + Int64(number) : near
            switch old {
            case .integer: return .integer(distance)
            case .number: return .number(Double(distance))
            default: return .text(self == .long ? key.name.text : "~\(number)")
            }
        }
    }
}
