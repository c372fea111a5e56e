import GRDB
import PluginKit
import TrailStores

/// A table or view of a store, and the SQL to read a part of its rows.
struct TablePlan: Sendable {
    let name: String
    let columns: [String]
    /// SQLite's name of the row number; `nil` for views and tables without one.
    let rowNumber: String?
    /// The columns that identify rows without a number: those of the primary key, or else all.
    let keys: [String]

    /// Throws `E-STORE-SCHEMA` if the store has no such table.
    init(_ name: String, in connection: StoreConnection) async throws {
        let all = try await ColumnFacts.all(connection)
        let facts = all.filter { $0.table == name }
        guard !facts.isEmpty else {
            throw StoreErrors.schema(
                "no such table: \(name)", at: .parameter("table"),
                fix: "`store show --schema` lists the tables",
                suggestion: Suggestion.nearest(to: name, in: Set(all.map(\.table)).sorted()))
        }
        let hasNumbers = try await connection.stoppableRead { db, _ in
            try Bool.fetchOne(
                db,
                sql:
                    "SELECT type <> 'view' AND NOT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
                arguments: [name])
        }
        self.name = name
        columns = facts.map(\.column)
        let keyed = facts.filter { $0.keyPosition > 0 }
        keys = (keyed.isEmpty ? facts : keyed).map(\.column)
        // A column with one of these names hides the row number.
        let taken = Set(columns.map { $0.lowercased() })
        rowNumber = hasNumbers == true ? ["rowid", "_rowid_", "oid"].first { !taken.contains($0) } : nil
    }

    /// A column as quoted SQL. Throws `E-STORE-SCHEMA` if the table has no such column.
    func column(_ name: String, parameter: String) throws -> String {
        guard columns.contains(name) else {
            throw StoreErrors.schema(
                "\(self.name) has no column \(name)", at: .parameter(parameter),
                fix: "`store show --schema` lists the columns",
                suggestion: Suggestion.nearest(to: name, in: columns)
            )
        }
        return name.sqlIdentifier
    }

    /// The row number as SQL. Throws `E-STORE-SCHEMA` for views and tables without row numbers.
    func number() throws -> String {
        guard let rowNumber else {
            throw StoreErrors.schema(
                "the rows of \(name) have no numbers", at: .parameter("table"),
                fix: "`store rows \(Literal.text(name)) --where …` finds them by their values")
        }
        return rowNumber
    }

    /// The condition that selects a row, as SQL that returns its text, one part for each column of the key.
    var conditions: [String] {
        keys.map { SQLCells.condition($0.sqlIdentifier) }
    }

    /// The FROM clause with a condition in SQL; the line break ends a trailing comment.
    func source(where condition: String?) -> String {
        " FROM \(name.sqlIdentifier)" + (condition.map { " WHERE (\($0)\n)" } ?? "")
    }
}
