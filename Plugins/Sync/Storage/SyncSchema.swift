import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The tables of a device's `sync.db`.
enum SyncSchema {
    /// The version of these tables.
    private static let version = 6

    private static let create = """
        CREATE TABLE header (
            id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
            next_operation INTEGER NOT NULL DEFAULT 1, epoch INTEGER, number INTEGER, commits INTEGER NOT NULL DEFAULT 0,
            rule TEXT NOT NULL DEFAULT 'merge');
        CREATE TABLE shadows (
            type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL, epoch INTEGER NOT NULL, base BLOB,
            local BLOB, parked TEXT, sent INTEGER, sent_tag INTEGER, sent_version BLOB,
            PRIMARY KEY (type, name)) WITHOUT ROWID;
        \(further)
        CREATE TABLE deleted (
            type INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (type, name)) WITHOUT ROWID;
        CREATE TABLE conflicts (
            id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
            field TEXT NOT NULL, value BLOB NOT NULL, stamp_time INTEGER NOT NULL, stamp_device INTEGER NOT NULL,
            winner BLOB NOT NULL, reason INTEGER NOT NULL, restored INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER, name TEXT, kind TEXT NOT NULL, detail TEXT NOT NULL);
        CREATE TABLE blobs (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        \(third)
        \(fourth)
        \(fifth)
        \(sixth)
        """

    /// The tables added by the second version.
    private static let further = """
        CREATE TABLE acknowledged (
            first INTEGER PRIMARY KEY, count INTEGER NOT NULL, tag INTEGER NOT NULL, epoch INTEGER NOT NULL);
        CREATE TABLE intents (id INTEGER PRIMARY KEY CHECK (id = 1), content BLOB NOT NULL);
        """

    /// The tables added by the third version: the read positions of the apps' stores, and which records
    /// differ from the cloud's.
    private static let third = """
        CREATE TABLE looks (type INTEGER PRIMARY KEY, number INTEGER NOT NULL, schema INTEGER NOT NULL);
        CREATE INDEX shadows_waiting ON shadows(type, name, sent) WHERE local IS NOT NULL;
        """

    /// Added by the fourth version: the account of the records, their installation, the marks of the zone's
    /// history, and the knowledge from the watch link.
    private static let fourth = """
        ALTER TABLE header ADD COLUMN witness INTEGER;
        ALTER TABLE header ADD COLUMN witness_hash INTEGER;
        ALTER TABLE header ADD COLUMN account INTEGER;
        ALTER TABLE header ADD COLUMN installation INTEGER;
        ALTER TABLE shadows ADD COLUMN link BLOB;
        CREATE TABLE marks (number INTEGER PRIMARY KEY, hash INTEGER NOT NULL);
        """

    /// Added by the fifth version: records of the cloud that wait for their blobs.
    private static let fifth = """
        CREATE TABLE held (
            type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (type, name)) WITHOUT ROWID;
        """

    /// Added by the sixth version: what is remembered of the apps' stores.
    private static let sixth = """
        CREATE TABLE lineage (
            type INTEGER PRIMARY KEY, device INTEGER NOT NULL, number INTEGER NOT NULL, former_device INTEGER,
            former_number INTEGER, columns TEXT NOT NULL);
        """

    /// Opens a device's database, or creates it.
    static func open(_ url: URL, device: UInt64) throws -> StoreConnection {
        let connection = try StoreConnection(url, access: .own, pageSize: SyncSettings.pageSize)
        try connection.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if found > version {
                throw SyncErrors.newer("\(url.lastPathComponent) was written by a newer version of Rutter")
            }
            if found == version { return }
            if found == 0 {
                try db.execute(sql: create)
                try db.execute(
                    sql: "INSERT INTO header (id, device, installation) VALUES (1, ?1, ?1)",
                    arguments: [Int64(bitPattern: device)])
            } else {
                if found == 1 { try migrateFirst(db) }
                if found <= 2 { try db.execute(sql: third) }
                if found <= 3 {
                    try db.execute(sql: fourth)
                    try db.execute(sql: "UPDATE header SET installation = device")
                }
                if found <= 4 { try db.execute(sql: fifth) }
                try db.execute(sql: sixth)
            }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        return connection
    }

    /// The first version stored each intent in a row, and rewrote acknowledged records.
    private static func migrateFirst(_ db: Database) throws {
        var intents: [RecordKey: Intent] = [:]
        let rows = try RawStatement(db, "SELECT type, name, commit_number, before FROM intents")
        while try rows.next() {
            let before = rows.bytes(3).flatMap { bytes in
                var reader = ByteReader(bytes)
                return VersionCoding.row(&reader)
            }
            intents[try key(rows)] = Intent(before: before, commit: rows.integer(2))
        }
        rows.reset()
        try db.execute(
            sql: """
                DROP INDEX shadows_outbox;
                ALTER TABLE shadows DROP COLUMN deleted;
                ALTER TABLE shadows DROP COLUMN dirty;
                ALTER TABLE shadows DROP COLUMN operation_device;
                ALTER TABLE shadows RENAME COLUMN operation_number TO sent;
                ALTER TABLE shadows RENAME COLUMN operation_tag TO sent_tag;
                ALTER TABLE shadows RENAME COLUMN operation_version TO sent_version;
                DROP TABLE intents;
                \(further)
                """)
        try save(db, intents)
    }

    // MARK: Reading

    /// The header, the number of commits, and the installation that the file belongs to.
    static func header(_ db: Database) throws -> (DeviceHeader, Int64, installation: UInt64) {
        let row = try RawStatement(
            db,
            """
            SELECT device, clock, next_operation, commits, epoch, number, witness, witness_hash, account, installation
            FROM header
            """, isCached: true)
        guard try row.next() else { throw SyncErrors.store("sync.db has no header") }
        guard [2, 3, 5, 6].allSatisfy({ ZoneNumbers.all.contains(row.integer($0)) }) else {
            throw SyncErrors.store("the header of sync.db cannot be read")
        }
        var header = DeviceHeader(device: UInt64(bitPattern: row.integer(0)))
        header.clock.last = UInt64(bitPattern: row.integer(1))
        header.nextOperation = UInt64(bitPattern: row.integer(2))
        if !row.isNull(4), !row.isNull(5) {
            header.token = ChangeToken(epoch: UInt64(bitPattern: row.integer(4)), number: row.integer(5))
        }
        if !row.isNull(6), !row.isNull(7) {
            header.witness = HistoryMark(number: row.integer(6), hash: UInt64(bitPattern: row.integer(7)))
        }
        if !row.isNull(8) { header.account = UInt64(bitPattern: row.integer(8)) }
        return (header, row.integer(3), row.isNull(9) ? header.device : UInt64(bitPattern: row.integer(9)))
    }

    private static let columns =
        "type, name, tag, epoch, base, local, parked, sent, sent_tag, sent_version, link"

    /// The existing states of some records, with the operation that sent them, acknowledged or not. `device`
    /// is the device's number.
    static func states(
        _ db: Database, of keys: [RecordKey], device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let find = try RawStatement(
            db, "SELECT \(columns) FROM shadows WHERE type = ? AND name = ?", isCached: true)
        for key in keys {
            find.bind(1, key)
            if try find.next() { body(key, try state(find, device)) }
            find.reset()
        }
    }

    /// The same for all records of a type.
    static func states(
        _ db: Database, of type: RecordType, device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let rows = try RawStatement(db, "SELECT \(columns) FROM shadows WHERE type = ?", isCached: true)
        rows.bind(1, Int64(type.rawValue))
        while try rows.next() { body(try key(rows), try state(rows, device)) }
    }

    /// The same for all records of types unknown to this version.
    static func statesOfUnknownTypes(
        _ db: Database, device: UInt64, _ body: (RecordKey, SyncedRecordState) -> Void
    ) throws {
        let known = RecordType.known.map { String($0.rawValue) }.joined(separator: ", ")
        let rows = try RawStatement(
            db, "SELECT \(columns) FROM shadows WHERE type NOT IN (\(known))", isCached: true)
        while try rows.next() { body(try key(rows), try state(rows, device)) }
    }

    /// Records that may have something to send: those that differ from the cloud's version without an
    /// acknowledgement.
    static func waiting(_ db: Database) throws -> [RecordKey] {
        let rows = try RawStatement(
            db,
            """
            SELECT type, name FROM shadows INDEXED BY shadows_waiting WHERE local IS NOT NULL AND NOT EXISTS
            (SELECT 1 FROM acknowledged a WHERE sent >= a.first AND sent < a.first + a.count)
            """, isCached: true)
        var keys: [RecordKey] = []
        while try rows.next() { keys.append(try key(rows)) }
        return keys
    }

    static func hasStates(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM shadows)") ?? false
    }

    private static func key(_ row: RawStatement) throws -> RecordKey {
        guard let key = row.key(0) else { throw SyncErrors.store("sync.db contains an invalid record name") }
        return key
    }

    private static func content(_ row: RawStatement, _ column: Int32) throws -> Version? {
        guard let bytes = row.bytes(column) else { return nil }
        guard let version = VersionCoding.version(bytes) else {
            throw SyncErrors.store("a record of sync.db cannot be read")
        }
        return version
    }

    private static func state(_ row: RawStatement, _ device: UInt64) throws -> SyncedRecordState {
        let base = try content(row, 4)
        guard let local = try content(row, 5) ?? base else {
            throw SyncErrors.store("a record of sync.db has no content")
        }
        var state = SyncedRecordState(
            base: base, tag: row.integer(2), epoch: UInt64(bitPattern: row.integer(3)), local: local)
        if let parked = row.text(6) {
            state.parked =
                parked.isEmpty ? .exhausted : parked == unplaced ? .unplaced : .rejected(parked)
        }
        if !row.isNull(7) {
            let id = OperationID(device: device, number: UInt64(bitPattern: row.integer(7)))
            // The sent version usually equals the local one and is then stored once.
            state.pending = Pending(id: id, baseTag: row.integer(8), version: try content(row, 9) ?? local)
        }
        if let bytes = row.bytes(10) {
            guard let link = LinkCoding.trace(bytes) else {
                throw SyncErrors.store("a record of sync.db cannot be read")
            }
            state.link = link
        }
        return state
    }

    static func acknowledgements(_ db: Database) throws -> Acknowledgements {
        let rows = try RawStatement(db, "SELECT first, count, tag, epoch FROM acknowledged", isCached: true)
        var runs: [Acknowledgements.Run] = []
        while try rows.next() {
            guard
                let run = OperationRun(first: rows.integer(0), tag: rows.integer(2), count: rows.integer(1))
            else { throw SyncErrors.store("the acknowledgements of sync.db cannot be read") }
            runs.append(
                Acknowledgements.Run(operations: run, epoch: UInt64(bitPattern: rows.integer(3))))
        }
        return Acknowledgements(runs)
    }

    static func intents(_ db: Database) throws -> [RecordKey: Intent] {
        let find = try RawStatement(db, "SELECT content FROM intents", isCached: true)
        guard try find.next() else { return [:] }
        guard let intents = find.bytes(0).flatMap({ IntentCoding.intents($0) }) else {
            throw SyncErrors.store("the intents of sync.db cannot be read")
        }
        return intents
    }

    /// The read positions of the apps' stores.
    static func marks(_ db: Database) throws -> [RecordType: LogPosition] {
        var marks: [RecordType: LogPosition] = [:]
        let rows = try RawStatement(db, "SELECT type, number, schema FROM looks", isCached: true)
        while try rows.next() {
            guard let type = UInt8(exactly: rows.integer(0)).flatMap({ RecordType(rawValue: $0) }) else {
                throw SyncErrors.store("the read positions of sync.db cannot be read")
            }
            marks[type] = LogPosition(commit: rows.integer(1), schema: rows.integer(2))
        }
        return marks
    }

    /// What is stored for a record whose row waits to be brought back.
    private static let unplaced = "unplaced"
    /// Separates names of columns: none contains it.
    private static let separator: Character = "\u{1f}"

    /// What is remembered of the apps' stores.
    static func lineages(_ db: Database) throws -> [RecordType: StoreLineage] {
        var lineages: [RecordType: StoreLineage] = [:]
        let rows = try RawStatement(
            db, "SELECT type, device, number, former_device, former_number, columns FROM lineage",
            isCached: true)
        while try rows.next() {
            guard let type = UInt8(exactly: rows.integer(0)).flatMap({ RecordType(rawValue: $0) }) else {
                throw SyncErrors.store("the marks of sync.db cannot be read")
            }
            lineages[type] = StoreLineage(
                mark: StoreMark(device: rows.integer(1), commit: rows.integer(2)),
                former: rows.isNull(4) ? nil : StoreMark(device: rows.integer(3), commit: rows.integer(4)),
                columns: (rows.text(5) ?? "").split(separator: separator).map(String.init))
        }
        return lineages
    }

    private static func save(_ db: Database, _ lineage: StoreLineage, _ type: RecordType) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO lineage VALUES (?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                Int64(type.rawValue), lineage.mark.device, lineage.mark.commit, lineage.former?.device,
                lineage.former?.commit, lineage.columns.joined(separator: String(separator)),
            ])
    }

    /// The apps' stores have their new marks.
    static func settleLineages(_ db: Database) throws {
        try db.execute(
            sql:
                "UPDATE lineage SET former_device = NULL, former_number = NULL WHERE former_number IS NOT NULL"
        )
    }

    /// The records that wait for their blobs.
    static func heldBack(_ db: Database) throws -> [RecordKey: CloudRecord] {
        var held: [RecordKey: CloudRecord] = [:]
        let rows = try RawStatement(db, "SELECT type, name, tag, content FROM held", isCached: true)
        while try rows.next() {
            guard let version = try content(rows, 3), ZoneNumbers.all.contains(rows.integer(2)) else {
                throw SyncErrors.store("a record of sync.db cannot be read")
            }
            let key = try key(rows)
            held[key] = CloudRecord(key: key, version: version, tag: rows.integer(2))
        }
        return held
    }

    static func save(_ db: Database, heldBack: [RecordKey: CloudRecord]) throws {
        try db.execute(sql: "DELETE FROM held")
        for (key, record) in heldBack {
            try db.cachedStatement(sql: "INSERT INTO held VALUES (?, ?, ?, ?)").execute(
                arguments: [
                    Int64(key.type.rawValue), key.name.text, record.tag,
                    Data(VersionCoding.bytes(record.version)),
                ])
        }
    }

    static func hasBlob(_ db: Database, _ blob: BlobReference) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM blobs WHERE name = ?", arguments: [blob.name]) != nil
    }

    /// The stored blobs.
    static func blobNames(_ db: Database) throws -> [BlobReference] {
        try String.fetchAll(db, sql: "SELECT name FROM blobs").compactMap { BlobReference(name: $0) }
    }

    static func blob(_ db: Database, _ blob: BlobReference) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT content FROM blobs WHERE name = ?", arguments: [blob.name])
    }

    /// The fields of a record before its deletion.
    static func lastLive(_ db: Database, _ key: RecordKey) throws -> Version? {
        let find = try RawStatement(
            db, "SELECT content FROM deleted WHERE type = ? AND name = ?", isCached: true)
        find.bind(1, key)
        return try find.next() ? content(find, 0) : nil
    }

    // MARK: Writing

    static func save(
        _ db: Database, _ header: DeviceHeader, commits: Int64, installation: UInt64
    ) throws {
        try db.cachedStatement(
            sql: """
                UPDATE header SET clock = ?, next_operation = ?, epoch = ?, number = ?, commits = ?, device = ?, witness = ?,
                witness_hash = ?, account = ?, installation = ?
                """
        ).execute(arguments: [
            Int64(bitPattern: header.clock.last), Int64(bitPattern: header.nextOperation),
            header.token.map { Int64(bitPattern: $0.epoch) }, header.token?.number, commits,
            Int64(bitPattern: header.device), header.witness?.number,
            header.witness.map { Int64(bitPattern: $0.hash) }, header.account.map { Int64(bitPattern: $0) },
            Int64(bitPattern: installation),
        ])
    }

    /// The marks up to a number, newest first.
    static func historyMarks(_ db: Database, upTo number: Int64, limit: Int) throws -> [HistoryMark] {
        let rows = try RawStatement(
            db, "SELECT number, hash FROM marks WHERE number <= ? ORDER BY number DESC LIMIT ?",
            isCached: true)
        rows.bind(1, number)
        rows.bind(2, Int64(limit))
        var marks: [HistoryMark] = []
        while try rows.next() {
            marks.append(HistoryMark(number: rows.integer(0), hash: UInt64(bitPattern: rows.integer(1))))
        }
        return marks
    }

    /// Adds marks, after removing those above a number.
    static func save(_ db: Database, _ marks: [HistoryMark], forgettingAfter number: Int64?) throws {
        if let number {
            try db.execute(sql: "DELETE FROM marks WHERE number > ?", arguments: [number])
        }
        for mark in marks {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO marks VALUES (?, ?)")
                .execute(arguments: [mark.number, Int64(bitPattern: mark.hash)])
        }
    }

    /// Writes states, in key order.
    static func save(_ db: Database, _ entries: [RecordEntry]) throws {
        if entries.isEmpty { return }
        let insert = try RawStatement(
            db,
            """
            INSERT OR REPLACE INTO shadows
            (type, name, tag, epoch, base, local, parked, sent, sent_tag, sent_version, link)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, isCached: true)
        var base = ByteWriter()
        var local = ByteWriter()
        var sent = ByteWriter()
        for entry in entries {
            guard let state = entry.state else { continue }
            let pending = state.pending
            insert.bind(1, Int64(entry.key.type.rawValue))
            insert.bind(3, state.tag)
            insert.bind(4, Int64(bitPattern: state.epoch))
            switch state.parked {
            case .exhausted: insert.bind(7, "")
            case .rejected(let why): insert.bind(7, why)
            case .unplaced: insert.bind(7, unplaced)
            case nil: insert.bindNull(7)
            }
            if let pending {
                insert.bind(8, Int64(bitPattern: pending.id.number))
                insert.bind(9, pending.baseTag)
            } else {
                insert.bindNull(8)
                insert.bindNull(9)
            }
            if let link = state.link {
                LinkCoding.bytes(link).withUnsafeBytes { insert.bind(11, blob: $0) }
            } else {
                insert.bindNull(11)
            }
            write(state.base, to: &base)
            // Also for an edit undone during transmission: an operation in transit is found by it.
            write(state.isDirty || pending != nil ? state.local : nil, to: &local)
            write(pending?.version == state.local ? nil : pending?.version, to: &sent)
            try bind(insert, 5, base) {
                try bind(insert, 6, local) {
                    try bind(insert, 10, sent) { try insert.run(2, entry.key.name) }
                }
            }
        }
    }

    private static func write(_ version: Version?, to writer: inout ByteWriter) {
        writer.clear()
        if let version { VersionCoding.add(version, to: &writer) }
    }

    /// Binds the bytes written, or NULL if empty, in place while `body` runs.
    private static func bind(
        _ statement: RawStatement, _ index: Int32, _ content: borrowing ByteWriter, _ body: () throws -> Void
    ) rethrows {
        try content.withBytes {
            if $0.isEmpty {
                statement.bindNull(index)
            } else {
                statement.bind(index, blob: $0, isCopied: false)
            }
            defer { statement.bindNull(index) }
            try body()
        }
    }

    /// Stores the fields of records before their deletion, to restore them.
    static func saveLastContents(_ db: Database, _ versions: [(RecordKey, Version)]) throws {
        for (key, version) in versions {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO deleted VALUES (?, ?, ?)").execute(
                arguments: [
                    Int64(key.type.rawValue), key.name.text, Data(VersionCoding.bytes(version)),
                ])
        }
    }

    static func save(_ db: Database, _ losers: [(RecordKey, Loser)], now: Timestamp) throws {
        for (key, loser) in losers {
            try db.cachedStatement(
                sql: """
                    INSERT INTO conflicts (time, type, name, field, value, stamp_time, stamp_device, winner, reason)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                now.milliseconds, Int64(key.type.rawValue), key.name.text, loser.field,
                Data(VersionCoding.bytes(loser.value)), Int64(bitPattern: loser.stamp.time),
                Int64(bitPattern: loser.stamp.device), Data(VersionCoding.bytes(loser.winner)),
                Int64(loser.reason.rawValue),
            ])
        }
    }

    static func save(_ db: Database, _ notes: [(NoteKind, RecordKey, String)], now: Timestamp) throws {
        for (kind, key, detail) in notes {
            try db.cachedStatement(
                sql: "INSERT INTO notes (time, type, name, kind, detail) VALUES (?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                now.milliseconds, Int64(key.type.rawValue), key.name.text, kind.rawValue, detail,
            ])
        }
    }

    static func save(_ db: Database, _ blob: Blob) throws {
        try db.execute(
            sql: "INSERT OR IGNORE INTO blobs VALUES (?, ?)",
            arguments: [blob.reference.name, Data(blob.bytes)])
    }

    /// Removes blobs, except those of values in the conflict log, which may be restored. Returns the
    /// removable ones.
    static func drop(_ db: Database, _ blobs: [BlobReference]) throws -> [BlobReference] {
        try blobs.filter { blob in
            let isLoser = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM conflicts WHERE value = ?)"),
                arguments: [Data(VersionCoding.bytes(FieldValue.blob(blob)))])
            if isLoser == true { return false }
            try db.cachedStatement(sql: "DELETE FROM blobs WHERE name = ?").execute(arguments: [blob.name])
            return true
        }
    }

    static func save(_ db: Database, _ intents: [RecordKey: Intent]) throws {
        if intents.isEmpty { return try db.execute(sql: "DELETE FROM intents") }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO intents VALUES (1, ?)")
            .execute(arguments: [Data(IntentCoding.bytes(intents))])
    }

    static func save(_ db: Database, _ marks: [RecordType: NextLogPosition]) throws {
        for (type, next) in marks {
            if let lineage = next.lineage { try save(db, lineage, type) }
            if let mark = next.mark {
                try db.cachedStatement(sql: "INSERT OR REPLACE INTO looks VALUES (?, ?, ?)").execute(
                    arguments: [Int64(type.rawValue), mark.commit, mark.schema])
            } else {
                try db.cachedStatement(sql: "DELETE FROM looks WHERE type = ?").execute(
                    arguments: [Int64(type.rawValue)])
            }
        }
    }

    static func save(_ db: Database, _ runs: [Acknowledgements.Run]) throws {
        for run in runs {
            try db.cachedStatement(
                sql: "INSERT INTO acknowledged (first, count, tag, epoch) VALUES (?, ?, ?, ?)"
            )
            .execute(arguments: [
                Int64(bitPattern: run.operations.first), run.operations.count, run.operations.tag,
                Int64(bitPattern: run.epoch),
            ])
        }
    }

    /// Writes the runs of acknowledged operations into the records.
    static func fold(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE shadows SET base = ifnull(local, base), local = NULL, tag = a.tag + sent - a.first, epoch = a.epoch,
                    sent = NULL, sent_tag = NULL
                FROM acknowledged a WHERE sent >= a.first AND sent < a.first + a.count;
                DELETE FROM acknowledged;
                """)
    }
}
