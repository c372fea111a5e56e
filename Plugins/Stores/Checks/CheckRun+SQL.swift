import GRDB
import TrailStores

extension CheckRun {
    /// The columns of a table or view; empty if there is none.
    func columns(_ table: String) throws -> Set<String> {
        Set(try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table]))
    }

    /// Whether a table or view has columns.
    func has(_ table: String, _ columns: String...) throws -> Bool {
        try self.columns(table).isSuperset(of: columns)
    }

    /// The first value of a query; `nil` if there is none, or if damage or a missing table hides it.
    func value<T: DatabaseValueConvertible>(_ sql: String) throws -> T? {
        do {
            return try T.fetchOne(db, sql: sql)
        } catch let error as DatabaseError where !error.isInterruption {
            return nil
        }
    }

    /// Adds a finding for each row of a statement: row number, identifier, problem.
    func find(_ kind: FindingKind, table: String, _ sql: String) throws {
        do {
            let rows = try Row.fetchCursor(db, sql: sql)
            while let row = try rows.next() {
                try step(table)
                let what = String.fromDatabaseValue(row[2]) ?? ""
                let id: String? =
                    (row[1] as DatabaseValue).isNull ? nil : "\(row[1] as DatabaseValue)".unquoted
                add(kind, table: table, row: Int64.fromDatabaseValue(row[0]), id: id, what)
            }
        } catch let error as DatabaseError where !error.isInterruption {
            add(SQLiteFindings.unreadable, table: table, "unreadable: \(error.reason)")
        }
    }
}

extension String {
    /// Without the quotes of a database value's description.
    fileprivate var unquoted: String {
        hasPrefix("\"") && hasSuffix("\"") && count >= 2 ? String(dropFirst().dropLast()) : self
    }
}
