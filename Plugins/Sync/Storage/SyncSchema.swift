import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The tables of a device's `sync.db`.
enum SyncSchema {
    /// The version of these tables.
    private static let version = 1

    private static let create = """
        CREATE TABLE header (
            id INTEGER PRIMARY KEY CHECK (id = 1), device INTEGER NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
            next_operation INTEGER NOT NULL DEFAULT 1, epoch INTEGER, number INTEGER, commits INTEGER NOT NULL DEFAULT 0,
            rule TEXT NOT NULL DEFAULT 'merge');
        CREATE TABLE shadows (
            type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL, epoch INTEGER NOT NULL, base BLOB,
            local BLOB, deleted INTEGER NOT NULL, dirty INTEGER NOT NULL, operation_device INTEGER,
            operation_number INTEGER, operation_tag INTEGER, operation_version BLOB, parked TEXT,
            PRIMARY KEY (type, name)) WITHOUT ROWID;
        CREATE INDEX shadows_outbox ON shadows(type, name) WHERE dirty = 1;
        CREATE TABLE intents (
            type INTEGER NOT NULL, name TEXT NOT NULL, commit_number INTEGER NOT NULL, before BLOB,
            PRIMARY KEY (type, name)) WITHOUT ROWID;
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
        let connection = try StoreConnection(url, access: .own)
        try connection.write { db in
            let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            if found > version {
                throw SyncErrors.newer("\(url.lastPathComponent) was written by a newer version of Rutter")
            }
            if found == 0 {
                try db.execute(sql: create)
                try db.execute(
                    sql: "INSERT INTO header (id, device) VALUES (1, ?)",
                    arguments: [Int64(bitPattern: device)])
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
        return connection
    }

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

    // MARK: Reading shadows

    private static let columns = """
        type, name, tag, epoch, base, local, operation_device, operation_number, operation_tag, operation_version, parked
        """

    static func shadow(_ db: Database, _ key: RecordKey) throws -> Shadow? {
        let row = try GRDB.Row.fetchOne(
            try db.cachedStatement(sql: "SELECT \(columns) FROM shadows WHERE type = ? AND name = ?"),
            arguments: [Int64(key.type.rawValue), key.name.text])
        return try row.map { try shadow($0) }
    }

    static func all(_ db: Database) throws -> [(RecordKey, Shadow)] {
        var found: [(RecordKey, Shadow)] = []
        let rows = try GRDB.Row.fetchCursor(db, sql: "SELECT \(columns) FROM shadows")
        while let row = try rows.next() { if let key = key(row) { found.append((key, try shadow(row))) } }
        return found
    }

    private static func key(_ row: GRDB.Row) -> RecordKey? {
        guard let code = Int64.fromDatabaseValue(row[0]), let raw = UInt8(exactly: code),
            let type = RecordType(rawValue: raw), let text = String.fromDatabaseValue(row[1]),
            let name = RecordName(text: text)
        else { return nil }
        return RecordKey(type: type, name: name)
    }

    private static func version(_ data: Data?) throws -> Version? {
        guard let data else { return nil }
        guard let version = VersionCoding.version(Array(data)) else {
            throw SyncErrors.store("a record of sync.db cannot be read")
        }
        return version
    }

    private static func shadow(_ row: GRDB.Row) throws -> Shadow {
        let base = try version(row[4])
        guard let local = try version(row[5]) ?? base else {
            throw SyncErrors.store("a record of sync.db has no content")
        }
        var shadow = Shadow(base: base, tag: row[2], epoch: UInt64(bitPattern: row[3]), local: local)
        if let device = row[6] as Int64?, let number = row[7] as Int64?, let tag = row[8] as Int64?,
            // Mostly what was sent is what is here: then it is kept once.
            let content = try version(row[9]) ?? local as Version?
        {
            let id = OperationID(device: UInt64(bitPattern: device), number: UInt64(bitPattern: number))
            shadow.pending = Pending(id: id, baseTag: tag, version: content)
        }
        if let parked = row[10] as String? { shadow.parked = parked.isEmpty ? .exhausted : .rejected(parked) }
        return shadow
    }

    static func keys(_ db: Database, condition: String) throws -> [RecordKey] {
        try GRDB.Row.fetchAll(db, sql: "SELECT type, name FROM shadows \(condition)").compactMap(key)
    }

    static func liveCount(_ db: Database) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM shadows WHERE deleted = 0") ?? 0
    }

    static func intents(_ db: Database) throws -> [RecordKey: Intent] {
        var found: [RecordKey: Intent] = [:]
        for row in try GRDB.Row.fetchAll(db, sql: "SELECT type, name, commit_number, before FROM intents") {
            guard let key = key(row) else { continue }
            found[key] = Intent(
                before: (row[3] as Data?).flatMap { VersionCoding.row(Array($0)) }, commit: row[2])
        }
        return found
    }

    static func hasBlob(_ db: Database, _ blob: BlobReference) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM blobs WHERE name = ?", arguments: [blob.name]) != nil
    }

    static func blob(_ db: Database, _ blob: BlobReference) throws -> Data? {
        try Data.fetchOne(db, sql: "SELECT content FROM blobs WHERE name = ?", arguments: [blob.name])
    }

    // MARK: Writing

    static func save(
        _ db: Database, _ header: DeviceHeader, commits: Int64, shadows: [(RecordKey, Shadow?)],
        losers: [(RecordKey, Loser)], notes: [(NoteKind, RecordKey, String)], now: Timestamp
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE header SET clock = ?, next_operation = ?, epoch = ?, number = ?, commits = ?"
        ).execute(arguments: [
            Int64(bitPattern: header.clock.last), Int64(bitPattern: header.nextOperation),
            header.token.map { Int64(bitPattern: $0.epoch) }, header.token?.number, commits,
        ])
        for (key, shadow) in shadows { if let shadow { try save(db, shadow, key) } }
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
        for (kind, key, detail) in notes {
            try db.cachedStatement(
                sql: "INSERT INTO notes (time, type, name, kind, detail) VALUES (?, ?, ?, ?, ?)"
            )
            .execute(arguments: [
                now.milliseconds, Int64(key.type.rawValue), key.name.text, kind.rawValue, detail,
            ])
        }
    }

    private static func save(_ db: Database, _ shadow: Shadow, _ key: RecordKey) throws {
        let base = shadow.base.map { Data(VersionCoding.bytes($0)) }
        if shadow.local.isDeleted { try keepLast(db, key) }
        let isDirty = shadow.isDirty
        var parked: String?
        switch shadow.parked {
        case .exhausted: parked = ""
        case .rejected(let why): parked = why
        case nil: break
        }
        let pending = shadow.pending
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO shadows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            Int64(key.type.rawValue), key.name.text, shadow.tag, Int64(bitPattern: shadow.epoch), base,
            isDirty ? Data(VersionCoding.bytes(shadow.local)) : nil, shadow.local.isDeleted, isDirty,
            pending.map { Int64(bitPattern: $0.id.device) }, pending.map { Int64(bitPattern: $0.id.number) },
            pending?.baseTag,
            pending.flatMap { $0.version == shadow.local ? nil : Data(VersionCoding.bytes($0.version)) },
            parked,
        ])
    }

    /// Keeps what a record held before its deletion, to restore it.
    private static func keepLast(_ db: Database, _ key: RecordKey) throws {
        let arguments: StatementArguments = [Int64(key.type.rawValue), key.name.text]
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO deleted SELECT type, name, ifnull(local, base) FROM shadows
                WHERE type = ? AND name = ? AND deleted = 0
                """
        ).execute(arguments: arguments)
    }

    static func lastLive(_ db: Database, _ key: RecordKey) throws -> Version? {
        let data = try Data.fetchOne(
            db, sql: "SELECT content FROM deleted WHERE type = ? AND name = ?",
            arguments: [Int64(key.type.rawValue), key.name.text])
        return try version(data)
    }

    static func save(_ db: Database, _ blobs: [BlobReference: Data]) throws {
        for (blob, data) in blobs.sorted(by: { $0.key < $1.key }) {
            try db.execute(sql: "INSERT OR IGNORE INTO blobs VALUES (?, ?)", arguments: [blob.name, data])
        }
    }

    static func save(_ db: Database, _ intent: Intent, _ key: RecordKey) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO intents VALUES (?, ?, ?, ?)").execute(arguments: [
            Int64(key.type.rawValue), key.name.text, intent.commit,
            intent.before.map { Data(VersionCoding.bytes($0)) },
        ])
    }

    static func removeIntents(_ db: Database) throws { try db.execute(sql: "DELETE FROM intents") }

    static func removeIntent(_ db: Database, _ key: RecordKey) throws {
        try db.cachedStatement(sql: "DELETE FROM intents WHERE type = ? AND name = ?")
            .execute(arguments: [Int64(key.type.rawValue), key.name.text])
    }
}
