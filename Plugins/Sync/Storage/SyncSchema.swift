import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The tables of a device's `sync.db`.
enum SyncSchema {
    /// The version of these tables.
    private static let version = 2

    private static let create = """
        CREATE TABLE header (
            id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
            next_operation INTEGER NOT NULL DEFAULT 1, epoch INTEGER, number INTEGER, commits INTEGER NOT NULL DEFAULT 0,
            rule TEXT NOT NULL DEFAULT 'merge');
        CREATE TABLE shadows (
            type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL, epoch INTEGER NOT NULL, base BLOB,
            local BLOB, deleted INTEGER NOT NULL, dirty INTEGER NOT NULL, parked TEXT,
            PRIMARY KEY (type, name)) WITHOUT ROWID;
        CREATE TABLE underway (kind TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE deleted (
            type INTEGER NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (type, name)) WITHOUT ROWID;
        CREATE TABLE conflicts (
            id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL,
            field TEXT NOT NULL, value BLOB NOT NULL, stamp_time INTEGER NOT NULL, stamp_device INTEGER NOT NULL,
            winner BLOB NOT NULL, reason INTEGER NOT NULL, restored INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE notes (
            id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type INTEGER, name TEXT, kind TEXT NOT NULL, detail TEXT NOT NULL);
        CREATE TABLE blobs (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
        """

    /// Opens a device's database, or makes it.
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
                    sql: "INSERT INTO header (id, device) VALUES (1, ?)",
                    arguments: [Int64(bitPattern: device)])
            } else {
                try migrateFirst(db)
            }
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
        return connection
    }

    /// The first version kept operations and intents a row each.
    private static func migrateFirst(_ db: Database) throws {
        var operations: [RecordKey: KeptOperation] = [:]
        let sent = try RawStatement(
            db,
            """
            SELECT type, name, operation_device, operation_number, operation_tag, operation_version FROM shadows
            WHERE operation_number IS NOT NULL
            """)
        while try sent.next() {
            let id = OperationID(
                device: UInt64(bitPattern: sent.integer(2)), number: UInt64(bitPattern: sent.integer(3)))
            operations[try key(sent)] = KeptOperation(
                id: id, baseTag: sent.integer(4), version: try content(sent, 5))
        }
        var intents: [RecordKey: Intent] = [:]
        let planned = try RawStatement(db, "SELECT type, name, commit_number, before FROM intents")
        while try planned.next() {
            let before = planned.bytes(3).flatMap { bytes in
                var reader = ByteReader(bytes)
                return VersionCoding.row(&reader)
            }
            intents[try key(planned)] = Intent(before: before, commit: planned.integer(2))
        }
        sent.reset()
        planned.reset()
        try db.execute(
            sql: """
                CREATE TABLE underway (kind TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
                DROP TABLE intents;
                DROP INDEX shadows_outbox;
                ALTER TABLE shadows DROP COLUMN operation_device;
                ALTER TABLE shadows DROP COLUMN operation_number;
                ALTER TABLE shadows DROP COLUMN operation_tag;
                ALTER TABLE shadows DROP COLUMN operation_version;
                """)
        try save(db, operations)
        try save(db, intents)
    }

    // MARK: Reading

    static func header(_ db: Database) throws -> (DeviceHeader, Int64) {
        guard let row = try GRDB.Row.fetchOne(db, sql: "SELECT * FROM header") else {
            throw SyncErrors.store("sync.db has no header")
        }
        var header = DeviceHeader(device: UInt64(bitPattern: row["device"]))
        header.clock.last = UInt64(bitPattern: row["clock"])
        header.nextOperation = UInt64(bitPattern: row["next_operation"])
        if let epoch = row["epoch"] as Int64?, let number = row["number"] as Int64? {
            header.token = ChangeToken(epoch: UInt64(bitPattern: epoch), number: number)
        }
        return (header, row["commits"])
    }

    private static let columns = "type, name, tag, epoch, base, local, parked"

    /// Those shadows of some records that there are, without their operations.
    static func shadows(_ db: Database, of keys: [RecordKey], _ body: (RecordKey, Shadow) -> Void) throws {
        let find = try RawStatement(
            db, "SELECT \(columns) FROM shadows WHERE type = ? AND name = ?", isCached: true)
        for key in keys {
            find.bind(1, Int64(key.type.rawValue))
            find.bind(2, key.name)
            if try find.next() { body(key, try shadow(find)) }
            find.reset()
        }
    }

    /// All shadows but some, without their operations.
    static func allShadows(
        _ db: Database, except isKnown: (RecordKey) -> Bool, _ body: (RecordKey, Shadow) -> Void
    ) throws {
        let rows = try RawStatement(db, "SELECT \(columns) FROM shadows", isCached: true)
        while try rows.next() {
            let key = try key(rows)
            if !isKnown(key) { body(key, try shadow(rows)) }
        }
    }

    static func hasShadows(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM shadows)") ?? false
    }

    private static func key(_ row: RawStatement) throws -> RecordKey {
        guard let type = UInt8(exactly: row.integer(0)).flatMap({ RecordType(rawValue: $0) }),
            let name = row.bytes(1).flatMap({ RecordName(utf8: $0.assumingMemoryBound(to: UInt8.self)) })
        else { throw SyncErrors.store("sync.db names a record that is none") }
        return RecordKey(type: type, name: name)
    }

    private static func content(_ row: RawStatement, _ column: Int32) throws -> Version? {
        guard let bytes = row.bytes(column) else { return nil }
        guard let version = VersionCoding.version(bytes) else {
            throw SyncErrors.store("a record of sync.db cannot be read")
        }
        return version
    }

    private static func shadow(_ row: RawStatement) throws -> Shadow {
        let base = try content(row, 4)
        guard let local = try content(row, 5) ?? base else {
            throw SyncErrors.store("a record of sync.db has no content")
        }
        var shadow = Shadow(
            base: base, tag: row.integer(2), epoch: UInt64(bitPattern: row.integer(3)), local: local)
        if let parked = row.text(6) { shadow.parked = parked.isEmpty ? .exhausted : .rejected(parked) }
        return shadow
    }

    static func operations(_ db: Database) throws -> [RecordKey: KeptOperation] {
        try underway(db, operationsKind, Underway.operations)
    }

    static func intents(_ db: Database) throws -> [RecordKey: Intent] {
        try underway(db, intentsKind, Underway.intents)
    }

    private static let operationsKind = "operations"
    private static let intentsKind = "intents"

    private static func underway<Item>(
        _ db: Database, _ kind: String, _ read: (UnsafeRawBufferPointer) -> [RecordKey: Item]?
    ) throws -> [RecordKey: Item] {
        let find = try RawStatement(db, "SELECT content FROM underway WHERE kind = ?", isCached: true)
        find.bind(1, kind)
        guard try find.next() else { return [:] }
        guard let items = find.bytes(0).flatMap(read) else {
            throw SyncErrors.store("the \(kind) of sync.db cannot be read")
        }
        return items
    }

    static func hasBlob(_ db: Database, _ blob: BlobReference) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM blobs WHERE name = ?", arguments: [blob.name]) != nil
    }

    static func blob(_ db: Database, _ blob: BlobReference) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT content FROM blobs WHERE name = ?", arguments: [blob.name])
    }

    /// What a record held before its deletion.
    static func lastLive(_ db: Database, _ key: RecordKey) throws -> Version? {
        let find = try RawStatement(
            db, "SELECT content FROM deleted WHERE type = ? AND name = ?", isCached: true)
        find.bind(1, Int64(key.type.rawValue))
        find.bind(2, key.name)
        return try find.next() ? content(find, 0) : nil
    }

    // MARK: Writing

    static func save(_ db: Database, _ header: DeviceHeader, commits: Int64) throws {
        try db.cachedStatement(
            sql: "UPDATE header SET clock = ?, next_operation = ?, epoch = ?, number = ?, commits = ?"
        ).execute(arguments: [
            Int64(bitPattern: header.clock.last), Int64(bitPattern: header.nextOperation),
            header.token.map { Int64(bitPattern: $0.epoch) }, header.token?.number, commits,
        ])
    }

    /// Writes shadows whole, in the order of their keys.
    static func save(_ db: Database, _ entries: [RecordEntry]) throws {
        if entries.isEmpty { return }
        let insert = try RawStatement(
            db, "INSERT OR REPLACE INTO shadows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", isCached: true)
        var base = ByteWriter()
        var local = ByteWriter()
        for entry in entries {
            guard let shadow = entry.shadow else { continue }
            let isDirty = shadow.isDirty
            insert.bind(1, Int64(entry.key.type.rawValue))
            insert.bind(3, shadow.tag)
            insert.bind(4, Int64(bitPattern: shadow.epoch))
            insert.bind(7, Int64(shadow.local.isDeleted ? 1 : 0))
            insert.bind(8, Int64(isDirty ? 1 : 0))
            switch shadow.parked {
            case .exhausted: insert.bind(9, "")
            case .rejected(let why): insert.bind(9, why)
            case nil: insert.bindNull(9)
            }
            write(shadow.base, to: &base)
            write(isDirty ? shadow.local : nil, to: &local)
            try base.withBytes { base in
                base.isEmpty ? insert.bindNull(5) : insert.bind(5, borrowedBlob: base)
                try local.withBytes { local in
                    local.isEmpty ? insert.bindNull(6) : insert.bind(6, borrowedBlob: local)
                    try insert.run(2, entry.key.name)
                }
            }
        }
    }

    private static func write(_ version: Version?, to writer: inout ByteWriter) {
        writer.clear()
        if let version { VersionCoding.add(version, to: &writer) }
    }

    /// Notes that the cloud has what these records hold; that itself stays as it is written.
    static func saveAcknowledged(_ db: Database, _ entries: [RecordEntry]) throws {
        if entries.isEmpty { return }
        let update = try RawStatement(
            db,
            """
            UPDATE shadows SET tag = ?, epoch = ?, base = ifnull(local, base), local = NULL, dirty = 0
            WHERE type = ? AND name = ?
            """, isCached: true)
        for entry in entries {
            // A shadow is large: only what is needed is taken out of it.
            guard let tag = entry.shadow?.tag, let epoch = entry.shadow?.epoch else { continue }
            update.bind(1, tag)
            update.bind(2, Int64(bitPattern: epoch))
            update.bind(3, Int64(entry.key.type.rawValue))
            try update.run(4, entry.key.name)
        }
    }

    /// Keeps what records held before their deletion, to restore them.
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

    static func save(_ db: Database, _ blobs: [BlobReference: Data]) throws {
        for (blob, data) in blobs.sorted(by: { $0.key < $1.key }) {
            try db.execute(sql: "INSERT OR IGNORE INTO blobs VALUES (?, ?)", arguments: [blob.name, data])
        }
    }

    static func save(_ db: Database, _ operations: [RecordKey: KeptOperation]) throws {
        try save(db, operationsKind, operations.isEmpty ? nil : Underway.bytes(operations))
    }

    static func save(_ db: Database, _ intents: [RecordKey: Intent]) throws {
        try save(db, intentsKind, intents.isEmpty ? nil : Underway.bytes(intents))
    }

    private static func save(_ db: Database, _ kind: String, _ content: [UInt8]?) throws {
        guard let content else {
            return try db.cachedStatement(sql: "DELETE FROM underway WHERE kind = ?").execute(arguments: [
                kind
            ])
        }
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO underway VALUES (?, ?)")
            .execute(arguments: [kind, Data(content)])
    }
}
