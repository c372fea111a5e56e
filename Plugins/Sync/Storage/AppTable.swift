import Foundation
import GRDB
import PluginKit
import TrailStores

/// A table of an app's own store as rows of fields: whatever columns it has are fields, under their own names.
struct AppTable: Sendable {
    let type: RecordType
    let table: String
    let connection: StoreConnection
    /// The columns that travel, in the order of their names.
    let columns: [String]
    /// The statement that reads a row.
    private let oneRow: String
    private let selection: String
    /// Columns that must not be NULL.
    private let required: Set<String>

    /// Columns whose contents travel as blobs.
    private static let blobs: Set<String> = ["photo_data", "photo_thumbnail", "track_data"]
    /// Columns that are each device's own.
    private static let own: Set<String> = ["id", "cloudkit_record_id"]

    init(_ type: RecordType, table: String, connection: StoreConnection) throws {
        self.type = type
        self.table = table
        self.connection = connection
        let all = try connection.read { db in try db.columns(in: table) }
        columns = all.map(\.name).filter { !Self.own.contains($0) }.sorted()
        required = Set(all.filter { $0.isNotNull }.map(\.name))
        selection = columns.map { name in
            Self.blobs.contains(name)
                ? "length(\(name.quotedDatabaseIdentifier))" : name.quotedDatabaseIdentifier
        }.joined(separator: ", ")
        oneRow = "SELECT id, \(selection) FROM \(table) WHERE id = ?"
        try connection.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS rutter_sync_written (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER);
                    CREATE TABLE IF NOT EXISTS rutter_sync_skipped (name TEXT PRIMARY KEY) WITHOUT ROWID;
                    """)
        }
    }

    /// All rows. A blob has no digest yet, only its size.
    func all(_ body: (RecordKey, Row) throws -> Void) throws {
        try connection.read { db in
            let rows = try GRDB.Row.fetchCursor(db, sql: "SELECT id, \(selection) FROM \(table) ORDER BY id")
            while let row = try rows.next() {
                guard let id = String.fromDatabaseValue(row[0]), let name = RecordName(text: id) else {
                    continue
                }
                try body(RecordKey(type: type, name: name), fields(row, from: 1, db: nil, id: id))
            }
        }
    }

    /// A row with the digests of its blobs.
    func row(_ key: RecordKey) throws -> Row? { try connection.look { db in try row(db, key) } }

    private func row(_ db: Database, _ key: RecordKey) throws -> Row? {
        let statement = try db.cachedStatement(sql: oneRow)
        let text = key.name.text
        let found = try GRDB.Row.fetchOne(statement, arguments: [text])
        guard let row = try found ?? GRDB.Row.fetchOne(statement, arguments: [text.lowercased()]),
            let id = String.fromDatabaseValue(row[0])
        else { return nil }
        return try fields(row, from: 1, db: db, id: id)
    }

    private func fields(_ row: GRDB.Row, from start: Int, db: Database?, id: String) throws -> Row {
        var fields: Row = []
        fields.reserveCapacity(columns.count)
        for (index, name) in columns.enumerated() {
            let cell: DatabaseValue = row[start + index]
            guard Self.blobs.contains(name), let size = Int64.fromDatabaseValue(cell) else {
                fields.append(RowField(key: name, value: Self.value(cell)))
                continue
            }
            var reference = BlobReference(high: 0, low: 0, size: size)
            if let db, let data = try blob(db, name, id) { reference = BlobReference(data) }
            fields.append(RowField(key: name, value: .blob(reference)))
        }
        return fields
    }

    private func blob(_ db: Database, _ column: String, _ id: String) throws -> Data? {
        try Data.fetchOne(
            try db.cachedStatement(sql: "SELECT CAST(\(column) AS BLOB) FROM \(table) WHERE id = ?"),
            arguments: [id])
    }

    /// The bytes of a blob of a row; `nil` when the row holds another by now.
    func blob(_ reference: BlobReference, of key: RecordKey) throws -> Data? {
        try connection.look { db in
            let text = key.name.text
            for column in columns where Self.blobs.contains(column) {
                for id in [text, text.lowercased()] {
                    if let data = try blob(db, column, id), BlobReference(data) == reference { return data }
                }
            }
            return nil
        }
    }

    private static func value(_ cell: DatabaseValue) -> FieldValue {
        switch cell.storage {
        case .null: .absent
        case .int64(let number): .integer(number)
        case .double(let number): .number(number)
        case .string(let text): .text(text)
        case .blob(let data): .bytes(Array(data))
        }
    }

    // MARK: Writing

    /// A row to write.
    struct Plan {
        let key: RecordKey
        let before: Row?
        let after: Row?
    }

    /// Writes rows that are still as they were, in one transaction with the number of the commit. Those that the user
    /// changed meanwhile are left alone and remembered. `content` gives the bytes of a blob.
    /// Gives those that were written.
    func write(_ plans: [Plan], commit: Int64, content: (BlobReference) throws -> Data?) throws -> [RecordKey]
    {
        try connection.write { db in
            var written: [RecordKey] = []
            try db.execute(sql: "DELETE FROM rutter_sync_skipped")
            for plan in plans {
                if try row(db, plan.key) == plan.before {
                    try write(db, plan, content)
                    written.append(plan.key)
                } else {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO rutter_sync_skipped VALUES (?)",
                        arguments: [plan.key.name.text])
                }
            }
            try db.execute(
                sql: "INSERT OR REPLACE INTO rutter_sync_written VALUES (1, ?)", arguments: [commit])
            return written
        }
    }

    /// Writes a row as the user would.
    func userWrites(_ plan: Plan, content: (BlobReference) throws -> Data?) throws {
        try connection.write { db in
            if try row(db, plan.key) == plan.before { try write(db, plan, content) }
        }
    }

    /// Whether the row of a commit was written.
    func isWritten(_ key: RecordKey, commit: Int64) throws -> Bool {
        try connection.look { db in
            let number = try Int64.fetchOne(db, sql: "SELECT number FROM rutter_sync_written") ?? 0
            if number != commit { return number > commit }
            return try String.fetchOne(
                db, sql: "SELECT name FROM rutter_sync_skipped WHERE name = ?", arguments: [key.name.text])
                == nil
        }
    }

    private func write(_ db: Database, _ plan: Plan, _ content: (BlobReference) throws -> Data?) throws {
        let text = plan.key.name.text
        guard let after = plan.after else {
            try db.cachedStatement(sql: "DELETE FROM \(table) WHERE id IN (?, ?)").execute(arguments: [
                text, text.lowercased(),
            ])
            return
        }
        var names: [String] = []
        var values: [DatabaseValue] = []
        for (index, field) in after.enumerated() {
            if let before = plan.before, before.indices.contains(index), before[index] == field { continue }
            // A column that must hold something keeps its default where the record says nothing.
            if field.value == .absent, plan.before == nil || required.contains(field.key) { continue }
            guard let value = try cell(field.value, content) else { continue }
            names.append(field.key)
            values.append(value)
        }
        if plan.before == nil {
            let list = (["id"] + names).map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let marks = Array(repeating: "?", count: names.count + 1).joined(separator: ", ")
            try db.cachedStatement(sql: "INSERT INTO \(table) (\(list)) VALUES (\(marks))")
                .execute(arguments: StatementArguments([text.databaseValue] + values))
        } else if !names.isEmpty {
            let list = names.map { "\($0.quotedDatabaseIdentifier) = ?" }.joined(separator: ", ")
            try db.cachedStatement(sql: "UPDATE \(table) SET \(list) WHERE id IN (?, ?)").execute(
                arguments: StatementArguments(values + [text.databaseValue, text.lowercased().databaseValue]))
        }
    }

    private func cell(_ value: FieldValue, _ content: (BlobReference) throws -> Data?) throws
        -> DatabaseValue?
    {
        switch value {
        case .absent: .null
        case .integer(let number): number.databaseValue
        case .number(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        case .blob(let blob): try content(blob)?.databaseValue
        }
    }
}
