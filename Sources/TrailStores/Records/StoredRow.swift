import Foundation
import GRDB

/// A row with all its columns, including those unknown to Rutter, stored for a later restore.
public struct StoredRow: Sendable {
    private let table: String
    private let columns: [String]
    private let values: [DatabaseValue]

    /// Removes a row from its table and returns it.
    static func take(_ db: Database, _ table: String, rowID: Int64) throws -> StoredRow? {
        guard
            let row = try Row.fetchOne(
                try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE rowid = ?"), arguments: [rowID])
        else { return nil }
        let stored = StoredRow(
            table: table, columns: Array(row.columnNames), values: row.databaseValues.map { $0 })
        try db.cachedStatement(sql: "DELETE FROM \(table) WHERE rowid = ?").execute(arguments: [rowID])
        return stored
    }

    /// Restores the row.
    func restore(_ db: Database) throws {
        let names = columns.map(\.sqlIdentifier).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let clause = try ConflictClause.refusing(db, table)
        try db.cachedStatement(sql: "INSERT\(clause) INTO \(table) (\(names)) VALUES (\(marks))")
            .execute(arguments: StatementArguments(values))
    }

    /// The identifier in the first column named `id`.
    var id: UUID? {
        guard let index = columns.firstIndex(of: "id"), case .string(let text) = values[index].storage else {
            return nil
        }
        return UUID(uuidString: text)
    }
}

/// Finds rows by an identifier that may be stored in either case.
enum RowIdentifier {
    /// The row of an identifier, by the index: in upper case as Foundation prints it, or in lower case.
    static func exact(_ db: Database, _ table: String, _ id: UUID) throws -> Int64? {
        try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT rowid FROM \(table) WHERE id IN (?, ?)"),
            arguments: [id.uuidString, id.uuidString.lowercased()])
    }

    /// The same; if there is none, also in mixed case, by scanning the index.
    static func find(_ db: Database, _ table: String, _ id: UUID) throws -> Int64? {
        if let row = try exact(db, table, id) { return row }
        return try Int64.fetchOne(
            try db.cachedStatement(sql: "SELECT rowid FROM \(table) WHERE id = ? COLLATE NOCASE"),
            arguments: [id.uuidString])
    }
}
