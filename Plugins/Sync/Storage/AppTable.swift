import Foundation
import GRDB
import PluginKit
import TrailStores

/// A table of an app's own store as rows of fields: every column is a field, under its own name.
final class AppTable {
    let type: RecordType
    let table: String
    let connection: StoreConnection
    /// The synced columns, in name order.
    let columns: [Column]
    /// Required columns without a default.
    let needed: [String]
    /// Index of the column with the modification time.
    let momentIndex: Int?
    private let selection: String
    /// Whether its rows have numbers, by which blobs are read and written in parts. The apps' own tables do.
    let hasRowNumbers: Bool
    /// The state of the file (SQLite's `data_version`) before the first row was read since the last write. While it is the
    /// same, no other connection has written, and rows need not be compared again before they are replaced.
    var seen: Int64?
    /// The log of rows written since the last scan.
    var log: ChangeLog
    /// What the device remembers of this store, and what this file is to it.
    var lineage: StoreLineage?
    let standing: StoreStanding
    /// The mark that the file has now, if it is one of this device's.
    var present: StoreMark?
    /// Whether the log may miss rows that were written.
    let isLogBroken: Bool
    let device: Int64
    /// Whether everything that happened to the store is known: only then it gets a mark.
    var isExamined = false
    private let form = StoredForm()
    /// The rows without a record of their own, once they were searched.
    var spellings: RowSpellings?
    /// Rows that cannot be read, by record.
    var unreadable: [RecordKey: String] = [:]
    /// The blobs that were read and are damaged.
    var damages: [BlobReference: LostContent.Damage] = [:]
    /// Rows that the store refused at the last write, by record: a constraint or a trigger of the app forbids them.
    var refused: [RecordKey: String] = [:]

    /// A synced column.
    struct Column {
        let name: String
        /// Whether its contents are sent as blobs.
        let isBlob: Bool
        /// Whether it is NOT NULL.
        let isRequired: Bool
        /// What the apps require of its values.
        let rule: CellRule?
        /// The value that a row has if nobody wrote one.
        let unset: FieldValue
        /// How its declared type converts what is written.
        let affinity: ColumnAffinity
    }

    private static let trackColumn = "track_data"
    private static let blobs: Set<String> = ["photo_data", "photo_thumbnail", trackColumn]
    /// Columns that are local to a device.
    static let own: Set<String> = ["id", recordColumn]
    /// The column in which the app keeps the name of a row's record in the cloud.
    static let recordColumn = "cloudkit_record_id"
    /// Whether the table has it: older stores do not.
    let hasRecordColumn: Bool

    init(
        _ type: RecordType, table: String, connection: StoreConnection, device: UInt64, commits: Int64,
        mark: LogPosition?, lineage: StoreLineage?
    ) throws {
        let log = ChangeLog(table: table, device: device, mark: mark)
        self.log = log
        self.type = type
        self.table = table
        self.connection = connection
        hasRowNumbers = try connection.read { db in
            (try? RawStatement(db, "SELECT _rowid_ FROM \(table) LIMIT 0")) != nil
        }
        let all = try connection.read { db in
            // A computed column is no content, and cannot be written.
            let written = try String.fetchSet(
                db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
            return try db.columns(in: table).filter { written.contains($0.name) }
                .map { (name: Self.field($0.name, of: type), column: $0) }
        }
        hasRecordColumn = all.contains { $0.name == Self.recordColumn }
        let found = all.filter { !Self.own.contains($0.name) }
        needed = found.filter { $0.column.isNotNull && $0.column.defaultValueSQL == nil }.map(\.name)
        columns = try connection.read { db in
            let isStrict = try Bool.fetchOne(
                db, sql: "SELECT strict FROM pragma_table_list(?) WHERE schema = 'main'", arguments: [table])
            return try found.map { name, column in
                Column(
                    name: name, isBlob: Self.blobs.contains(name), isRequired: column.isNotNull,
                    rule: CellRule(
                        name, isRequired: column.isNotNull,
                        isNumber: ["REAL", "FLOA", "DOUB", "INT"].contains(
                            where: column.type.uppercased().contains)),
                    unset: try Self.value(ofDefault: column.defaultValueSQL, db),
                    affinity: ColumnAffinity(column.type, isStrict: isStrict == true))
            }
        }.sorted { $0.name < $1.name }
        momentIndex = columns.firstIndex { $0.name == "modified_at" }
        selection = columns.map { column in
            let name = column.name.sqlIdentifier
            return column.isBlob ? "length(\(name))" : name
        }.joined(separator: ", ")
        let own = Int64(bitPattern: device)
        let (known, isBroken) = try connection.write { db in
            try Self.prepare(db)
            let isWhole = try log.isWhole(db)
            try log.prepare(db)
            try LineageTable.prepare(
                db, isBroken: !isWhole, first: lineage == nil ? StoreMark.first(of: own) : nil)
            return try LineageTable.read(db)
        }
        self.device = own
        self.lineage = lineage
        standing = StoreStanding(known, lineage, device: self.device, commits: commits)
        present = standing.former(known)
        isLogBroken = isBroken
    }

    /// The field of a column: those of the apps in their own spelling, because SQLite takes any, and a table may have another.
    static func field(_ column: String, of type: RecordType) -> String {
        let known = (type == .waypoint ? Waypoint.columnNames : Hike.columnNames) + blobs
        let name = column.lowercased()
        return known.contains(name) ? name : column
    }

    /// The value of a column that nobody wrote. Only constants count: another default differs from row to row.
    static func value(ofDefault sql: String?, _ db: Database) throws -> FieldValue {
        guard let sql, let row = try? RawStatement(db, "SELECT \(sql)"), (try? row.next()) == true else {
            return .absent
        }
        return (try? value(row, 0)) ?? .absent
    }

    /// A value as a column stores it.
    func stored(_ value: FieldValue, in column: Column) -> FieldValue { form.of(value, in: column.affinity) }

    /// The columns that can be synced, by name.
    var columnNames: [String] { columns.map(\.name) }

    /// Whether the tables may have changed since the last scan.
    func mayHaveNewSchema() throws -> Bool {
        if let lineage, lineage.columns != columnNames { return true }
        return try connection.read { db in try !log.hasSameSchema(db) }
    }

    /// The records whose rows somebody wrote since the last scan; `nil` if that is not known.
    func writtenRecords() throws -> Set<RecordName>? {
        if isLogBroken || standing != .same { return nil }
        return try connection.read { db in try log.written(db) }
    }

    /// Creates the tables that record the rows written by a sync.
    private static func prepare(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS rutter_sync_written (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER);
                CREATE TABLE IF NOT EXISTS rutter_sync_left (name TEXT PRIMARY KEY, number INTEGER) WITHOUT ROWID;
                """)
        // The first version stored only the names, for the last commit only.
        guard try db.tableExists("rutter_sync_skipped") else { return }
        try db.execute(
            sql: """
                INSERT OR IGNORE INTO rutter_sync_left
                SELECT name, (SELECT number FROM rutter_sync_written) FROM rutter_sync_skipped;
                DROP TABLE rutter_sync_skipped;
                """)
    }

    // MARK: Reading

    /// All rows, in any order; `nil` for one that cannot be read. A blob has no digest yet, only its size.
    func all(_ body: (RecordKey, Row?) throws -> Void) throws {
        try connection.read { db in
            try noteState(db)
            unreadable = [:]
            let found = try findSpellings(db)
            let strays = found.strays
            let rows = try RawStatement(db, "SELECT id, \(selection) FROM \(table)", isCached: true)
            while try rows.next() {
                guard let text = rows.text(0), let name = RecordName(text: text), !strays.contains(text)
                else { continue }
                let key = RecordKey(type: type, name: name)
                if let why = found.repeated[name] {
                    unreadable[key] = why
                    try body(key, nil)
                    continue
                }
                try body(key, readable(key) { try fields(rows) { .blob(BlobReference(ofSize: $1)) } })
            }
        }
    }

    /// A row; `nil` if it cannot be read, which is recorded.
    private func readable(_ key: RecordKey, _ body: () throws -> Row?) rethrows -> Row? {
        do {
            let row = try body()
            unreadable[key] = nil
            return row
        } catch let fault as UnreadableRow {
            unreadable[key] = fault.why
            return nil
        }
    }

    /// The identifiers that are not spelled like others, or that are no identifiers.
    func findSpellings(_ db: Database) throws -> RowSpellings {
        let state = try Self.state(db)
        if let spellings, spellings.state == state { return spellings }
        let found = try RowSpellings(db, table, state: state, hasRowNumbers: hasRowNumbers)
        spellings = found
        return found
    }

    /// The spellings under which the row of a record is written.
    func spellings(of name: RecordName) -> (String, String) {
        spellings?.spellings(of: name) ?? (name.text, name.lowercaseText)
    }

    /// The rows that have no record.
    func strays() throws -> [StrayRow] {
        try connection.read { db in
            try findSpellings(db).rows.map {
                StrayRow(type: type, place: "\(table), \($0.place)", why: $0.why)
            }
        }
    }

    /// The records whose rows were written since the last scan; `nil` if all rows must be read.
    func loggedChanges() throws -> [RecordName]? { try connection.read { db in try log.changes(db) } }

    /// Number of rows.
    func count() throws -> Int {
        try connection.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    /// A row with the digests of its blobs.
    func row(_ key: RecordKey) throws -> Row? {
        try connection.look { db in
            try noteState(db)
            return try RowFinder(db, self).row(key)
        }
    }

    /// Reads several rows from one state of the store.
    func rows(_ keys: [RecordKey], _ body: (RecordKey, Row?) throws -> Void) throws {
        try connection.read { db in
            try noteState(db)
            let finder = try RowFinder(db, self)
            for key in keys { try body(key, finder.row(key)) }
        }
    }

    private func noteState(_ db: Database) throws { if seen == nil { seen = try Self.state(db) } }

    static func state(_ db: Database) throws -> Int64 {
        let state = try RawStatement(db, "PRAGMA data_version", isCached: true)
        return try state.next() ? state.integer(0) : 0
    }

    /// Reads single rows.
    struct RowFinder {
        private let db: Database
        private let table: AppTable
        private let find: RawStatement

        init(_ db: Database, _ table: AppTable) throws {
            self.db = db
            self.table = table
            _ = try table.findSpellings(db)
            find = try RawStatement(
                db,
                "SELECT id, \(table.selection)\(table.hasRowNumbers ? ", _rowid_" : "") FROM \(table.table) WHERE id = ?",
                isCached: true)
        }

        func row(_ key: RecordKey) throws -> Row? {
            defer { find.reset() }
            if let why = table.spellings?.repeated[key.name] {
                table.unreadable[key] = why
                return nil
            }
            guard try goTo(key.name) else {
                table.unreadable[key] = nil
                return nil
            }
            return try table.readable(key) {
                try table.fields(find) { column, size in
                    guard let cell = try table.cell(db, column.name, find) else {
                        return .blob(BlobReference(ofSize: size))
                    }
                    let (reference, damage) = try cell.scan()
                    let isCut = try column.name == AppTable.trackColumn && cell.isCutTrack()
                    if let damage = isCut ? .cut : damage { table.damages[reference] = damage }
                    return .blob(reference)
                }
            }
        }

        /// A cell of a row; `nil` if it is empty.
        func cell(_ key: RecordKey, _ column: String) throws -> BlobCell? {
            defer { find.reset() }
            guard let index = table.columns.firstIndex(where: { $0.name == column }), try goTo(key.name),
                !find.isNull(Int32(index + 1))
            else { return nil }
            return try table.cell(db, column, find)
        }

        /// Steps to the row, whose identifier may be in upper or lower case, or in both.
        private func goTo(_ name: RecordName) throws -> Bool {
            for isLowercase in [false, true] {
                find.reset()
                find.bind(1, name, isLowercase: isLowercase)
                if try find.next() { return true }
            }
            guard let text = table.spellings?.mixed[name] else { return false }
            find.reset()
            find.bind(1, text)
            return try find.next()
        }
    }

    private func fields(
        _ row: RawStatement, blob: (Column, Int64) throws -> FieldValue
    ) throws -> Row {
        var fields: Row = []
        fields.reserveCapacity(columns.count)
        var index: Int32 = 0
        for column in columns {
            index += 1
            let value =
                try column.isBlob && row.storage(index) == .integer
                ? blob(column, row.integer(index)) : Self.value(row, index, column.name)
            // No app reads such a row: it is none, and must not replace one that is.
            if let fault = column.rule?.fault(value) { throw UnreadableRow(why: "\(column.name) \(fault)") }
            fields.append(RowField(key: column.name, value: value))
        }
        return fields
    }

    static func value(_ row: RawStatement, _ index: Int32, _ name: String = "") throws -> FieldValue {
        switch row.storage(index) {
        case .null: .absent
        case .integer: .integer(row.integer(index))
        case .real: .number(row.number(index))
        case .text: .text(try text(row, index, name))
        case .blob: .bytes(row.bytes(index).map { Array($0) } ?? [])
        }
    }

    /// A text; bytes that are none must not be replaced by others.
    static func text(_ row: RawStatement, _ index: Int32, _ name: String) throws -> String {
        guard let text = String(validating: row.utf8(index), as: UTF8.self) else {
            throw UnreadableRow(why: "\(name) has bytes that are no text in UTF-8")
        }
        return text
    }

    /// A cell of the current row of a statement `id, …, _rowid_`.
    private func cell(_ db: Database, _ column: String, _ row: RawStatement) throws -> BlobCell? {
        let number = hasRowNumbers ? row.integer(Int32(columns.count + 1)) : nil
        if let number, let stream = try BlobStream(db, table: table, column: column, row: number) {
            return .stream(stream)
        }
        guard let id = row.text(0) else { return nil }
        return try Data.fetchOne(
            try db.cachedStatement(
                sql: "SELECT CAST(\(column.sqlIdentifier) AS BLOB) FROM \(table) WHERE id = ?"),
            arguments: [id]
        ).map { .data($0) }
    }

    /// Finds the cell of a row that contains a blob, by its digest; `nil` if the row contains another by now.
    func blob<T>(
        _ reference: BlobReference, of key: RecordKey, _ body: (String, BlobCell) throws -> T
    ) throws -> T? {
        try connection.look { db in
            let finder = try RowFinder(db, self)
            for column in columns where column.isBlob {
                guard let cell = try finder.cell(key, column.name), cell.count == Int(reference.size),
                    try cell.reference() == reference
                else { continue }
                return try body(column.name, cell)
            }
            return nil
        }
    }

    /// A cell of a row, without checking its contents.
    func cell<T>(_ column: String, of key: RecordKey, _ body: (BlobCell) throws -> T) throws -> T? {
        try connection.look { db in try RowFinder(db, self).cell(key, column).map(body) }
    }

    /// Whether the row of a commit was written.
    func isWritten(_ key: RecordKey, commit: Int64) throws -> Bool {
        try connection.look { db in
            let number = try Int64.fetchOne(db, sql: "SELECT number FROM rutter_sync_written") ?? 0
            let left = try Int64.fetchOne(
                db, sql: "SELECT number FROM rutter_sync_left WHERE name = ?", arguments: [key.name.text])
            return number >= commit && left != commit
        }
    }
}
