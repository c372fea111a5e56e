import CivilTime
import Core
import Foundation
import GRDB

/// What an app keeps as rows of one table, each under an identifier.
protocol StoredRecord: Sendable {
    /// Its table.
    associatedtype Schema: RecordSchema
    /// The columns, in the order in which they are read, without those of blobs.
    static var columns: [RecordColumn<Self>] { get }
    /// The column of its moment, by which lists are ordered.
    static var momentColumn: String { get }
    /// Reads a record from the current row of a statement; its columns begin at index `first`.
    static func record(_ row: RawStatement, from first: Int) throws(RutterError) -> Self
    /// The impossible values of the current row that the record leaves unknown, in words; `nil` if there are none.
    static func leftOut(_ row: RawStatement, from first: Int) -> String?
    /// What stands for a column that a table lacks, as SQL; `nil` for NULL.
    static func missing(_ column: String) -> String?
    /// Completes records with what stands in other tables.
    static func completed(_ records: [Self], _ db: Database) throws -> [Self]

    /// The identifier.
    var id: UUID { get }
    /// Its moment, by which lists are ordered.
    var moment: Timestamp { get }
    /// Whether a row holds the same for both.
    func isStored(as other: Self) -> Bool
}

extension StoredRecord {
    static func missing(_ column: String) -> String? { nil }
    static func completed(_ records: [Self], _ db: Database) throws -> [Self] { records }
}

/// The outcome of a removal of records.
public enum RecordRemoval<Record: Sendable>: Sendable {
    /// They were removed; these rows restore them.
    case removed([StoredRow])
    /// Nothing was done, because this one is missing or changed.
    case changed(Record)
}

/// The table of a kind of records in an open store: reading, changing, removing and restoring, each in one transaction.
struct RecordTable<Record: StoredRecord>: Sendable {
    /// The connection to the store.
    let connection: StoreConnection
    /// How unreadable rows in lists are handled.
    let unreadable = UnreadablePolicy()
    /// The columns that the table has.
    let present: Set<String>
    private let selected: String
    private static var table: String { Record.Schema.table }

    /// Opens a store; a writable one is created or migrated.
    init(_ url: URL, access: StoreAccess) throws(RutterError) {
        let connection = try StoreConnection(url, access: access)
        let path = url.lastPathComponent
        func columns() throws(RutterError) -> Set<String> {
            try connection.read { db in try Record.Schema.columns(db, path: path) }
        }
        // A foreign database of another kind gets neither our table nor our columns.
        let exists = try connection.read { db in try db.tableExists(Self.table) }
        if access == .foreignWritable || (access == .own && exists) { _ = try columns() }
        if access != .foreign, try connection.read({ try Record.Schema.needsMigration($0) }) {
            try connection.write { db in try Record.Schema.migrate(db) }
        }
        let present = try columns()
        // A device's own store may have any table: its sync does without.
        if access != .own {
            try connection.read { try StoreErrors.requireRowNumbers(Self.table, $0, path) }
        }
        self.connection = connection
        self.present = present
        selected = Record.columns.map { column in
            if !present.contains(column.name), let missing = Record.missing(column.name) {
                return "\(missing) AS \(column.name)"
            }
            return FormatProfile.selected(column.name, in: present)
        }
        .joined(separator: ", ")
    }

    // MARK: Reading

    /// A record by its identifier.
    func record(_ id: UUID) throws(RutterError) -> Record? {
        try connection.read { db in try record(db, id)?.record }
    }

    /// The same within a transaction, with the number of its row.
    func record(_ db: Database, _ id: UUID) throws -> (row: Int64, record: Record)? {
        guard let row = try RowIdentifier.find(db, Self.table, id) else { return nil }
        return try fetch(db, "WHERE rowid = ?", [row]).first.map { (row, $0) }
    }

    /// The records whose identifier begins with a prefix, ordered by identifier.
    func records(idPrefix: String, limit: Int) throws(RutterError) -> [Record] {
        guard !idPrefix.isEmpty, idPrefix.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
        return try fetch("WHERE id LIKE ? ORDER BY id LIMIT ?", [idPrefix + "%", limit])
    }

    /// All records, newest first.
    func all() throws(RutterError) -> [Record] {
        try fetch("ORDER BY \(Record.momentColumn) DESC, id", []).inOrder(newestFirst: true)
    }

    /// All readable records, newest first, and the problems of the other rows.
    func readable(_ db: Database) throws -> (records: [Record], problems: [RowProblem]) {
        let row = try statement(db, "ORDER BY \(Record.momentColumn) DESC, id", [])
        var found: [Record] = []
        var problems: [RowProblem] = []
        while try row.next() {
            do throws(RutterError) {
                found.append(try Record.record(row, from: 1))
                guard let what = Record.leftOut(row, from: 1) else { continue }
                problems.append(
                    RowProblem(row: row.integer(0), id: Self.id(row), what: what, isUsed: true))
            } catch {
                problems.append(RowProblem(row: row.integer(0), id: Self.id(row), what: error.message))
            }
        }
        return (try Record.completed(found.inOrder(newestFirst: true), db), problems)
    }

    /// The identifier of a row as text; the bytes of another kind of value name nothing.
    private static func id(_ row: RawStatement) -> String? { row.storage(1) == .text ? row.text(1) : nil }

    /// The records that a condition selects; rows that cannot be read are handled as the policy says.
    func fetch(_ condition: String, _ arguments: StatementArguments) throws(RutterError) -> [Record] {
        try connection.read { db in
            let row = try statement(db, condition, arguments)
            let found = try UnreadablePolicy.reading(unreadable, connection.url.lastPathComponent, row) {
                (row) throws(RutterError) in
                try Record.record(row, from: 1)
            }
            return try Record.completed(found, db)
        }
    }

    /// The same within a transaction; a row that cannot be read is an error.
    func fetch(_ db: Database, _ condition: String, _ arguments: StatementArguments) throws -> [Record] {
        let row = try statement(db, condition, arguments)
        var found: [Record] = []
        while try row.next() { found.append(try Record.record(row, from: 1)) }
        return try Record.completed(found, db)
    }

    private func statement(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> RawStatement {
        try RawStatement(
            db, "SELECT rowid, \(selected) FROM \(Self.table) \(condition)", arguments: arguments,
            isCached: true)
    }

    // MARK: Identifiers

    /// An identifier that the store does not have yet. A session with the seed of an earlier one generates
    /// the same identifiers again.
    func freshID(_ next: () -> UUID) throws(RutterError) -> UUID {
        while true {
            let id = next()
            let isTaken = try connection.read { db in try RowIdentifier.exact(db, Self.table, id) != nil }
            if !isTaken { return id }
        }
    }

    // MARK: Writing

    /// A statement that inserts records with further columns, such as those of blobs. A constraint of the app's that replaces
    /// other rows refuses the record instead: those would go without a word, and no undo would bring them back.
    func insertion(_ db: Database, further: [String] = []) throws -> RawStatement {
        let names = Record.columns.map(\.name) + further
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let clause = try ConflictClause.refusing(db, Self.table)
        return try RawStatement(
            db, "INSERT\(clause) INTO \(Self.table) (\(names.joined(separator: ", "))) VALUES (\(marks))")
    }

    /// Binds the columns of a record to an insertion. Returns the index of the first of its further columns.
    static func bind(_ record: Record, to statement: RawStatement) -> Int32 {
        var index: Int32 = 1
        for column in Record.columns {
            column.bind(statement, index, record)
            index += 1
        }
        return index
    }

    /// Writes the columns in which two states of a record differ, and further ones; all others keep the app's values, also the
    /// name of its record in the cloud, which a sync writes. Returns `false` and writes nothing if the stored record differs
    /// from `before`.
    func update(
        _ db: Database, _ before: Record, to after: Record,
        further: [(column: String, value: DatabaseValue)] = []
    ) throws -> Bool {
        guard let stored = try record(db, before.id), stored.record.isStored(as: before) else { return false }
        try write(db, stored.row, before, to: after, further: further)
        return true
    }

    /// The same for a row that was compared.
    func write(
        _ db: Database, _ row: Int64, _ before: Record, to after: Record,
        further: [(column: String, value: DatabaseValue)] = []
    ) throws {
        let own = Record.columns.compactMap { column -> (column: String, value: DatabaseValue)? in
            guard column.name != Self.cloudColumn else { return nil }
            return column.change(before, after).map { (column.name, $0) }
        }
        let changes = own + further
        if changes.isEmpty { return }
        let columns = changes.map { change in
            "\((FormatProfile.stored(change.column, in: present) ?? change.column).sqlIdentifier) = ?"
        }
        let clause = try ConflictClause.refusing(db, Self.table)
        try db.execute(
            sql: "UPDATE\(clause) \(Self.table) SET \(columns.joined(separator: ", ")) WHERE rowid = ?",
            arguments: StatementArguments(changes.map(\.value)) + [row])
    }

    private static var cloudColumn: String { "cloudkit_record_id" }

    /// Removes records, all or none. With `onlyUnchanged` they must equal the given values. `take` removes the rows of one.
    func remove(
        _ records: [Record], onlyUnchanged: Bool,
        take: (Database, Int64, UUID) throws -> [StoredRow] = { db, row, _ in
            try StoredRow.take(db, Record.Schema.table, rowID: row).map { [$0] } ?? []
        }
    ) throws(RutterError) -> RecordRemoval<Record> {
        try connection.write { db in
            var found: [Int64] = []
            for wanted in records {
                guard let row = try RowIdentifier.find(db, Self.table, wanted.id) else {
                    return .changed(wanted)
                }
                if onlyUnchanged,
                    try fetch(db, "WHERE rowid = ?", [row]).first?.isStored(as: wanted) != true
                {
                    return .changed(wanted)
                }
                found.append(row)
            }
            return .removed(try zip(found, records).flatMap { try take(db, $0, $1.id) })
        }
    }

    /// Restores removed rows with all columns, all or none. Returns `false` if one of them exists.
    func restore(_ rows: [StoredRow]) throws(RutterError) -> Bool {
        try connection.write { db in
            for row in rows {
                if let id = row.id, try RowIdentifier.find(db, Self.table, id) != nil { return false }
            }
            for row in rows { try row.restore(db) }
            return true
        }
    }
}

extension Array where Element: StoredRecord {
    /// Sorts by moment, then by identifier. SQLite sorts times as text, in which those with and without a
    /// fraction are not in order.
    func inOrder(newestFirst: Bool) -> [Element] {
        func isBefore(_ left: Element, _ right: Element) -> Bool {
            if left.moment == right.moment { return left.id < right.id }
            return newestFirst ? left.moment > right.moment : left.moment < right.moment
        }
        let isInOrder = zip(self, dropFirst()).allSatisfy { !isBefore($1, $0) }
        return isInOrder ? self : sorted(by: isBefore)
    }
}
