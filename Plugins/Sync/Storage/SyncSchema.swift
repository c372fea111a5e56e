import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// The tables of a device's `sync.db`.
enum SyncSchema {
    /// The version of these tables.
    private static let version = 7

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
        \(seventh)
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

    /// Added by the seventh version: whether a report of an operation that was given up is still to be sent.
    private static let seventh = "ALTER TABLE header ADD COLUMN owes_report INTEGER NOT NULL DEFAULT 0;"

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
                if found <= 5 { try db.execute(sql: sixth) }
                try db.execute(sql: seventh)
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
}
