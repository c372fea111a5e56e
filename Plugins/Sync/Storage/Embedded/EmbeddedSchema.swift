import Foundation
import GRDB
import PluginKit

/// The tables of the embedded cloud, and those of its older versions.
enum EmbeddedSchema {
    static let version = 5
    /// The first version had a row for each operation.
    private static let migrateFirst = """
        ALTER TABLE operations RENAME COLUMN number TO first;
        ALTER TABLE operations ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
        """

    /// The second version stored neither digests of operations nor marks of the history. A zone's first mark
    /// is random.
    private static let migrateSecond = """
        ALTER TABLE operations ADD COLUMN digests BLOB;
        \(history)
        INSERT INTO history SELECT name, head, random() FROM zones WHERE head > 0;
        """

    /// The third version stored blobs in one piece. `whole`: all parts have arrived; `number`: the zone's
    /// head when the blob was last requested or sent.
    private static let migrateThird = """
        ALTER TABLE blobs ADD COLUMN whole INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE blobs ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE parts (
            zone TEXT NOT NULL, name TEXT NOT NULL, start INTEGER NOT NULL, content BLOB NOT NULL,
            PRIMARY KEY (zone, name, start)) WITHOUT ROWID;
        CREATE TABLE devices (
            zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (zone, device)) WITHOUT ROWID;
        """

    /// The fourth version kept all operations. `settled`: the number up to which a device's operations are
    /// settled; `floors`: the number up to which a replica's operations are discarded.
    private static let migrateFourth = """
        ALTER TABLE devices ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE floors (
            zone TEXT NOT NULL, device INTEGER NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (zone, device)) WITHOUT ROWID;
        """

    private static let history = """
        CREATE TABLE history (
            zone TEXT NOT NULL, number INTEGER NOT NULL, hash INTEGER NOT NULL, PRIMARY KEY (zone, number)) WITHOUT ROWID;
        """

    private static let create = """
        CREATE TABLE zones (
            name TEXT PRIMARY KEY, head INTEGER NOT NULL, floor INTEGER NOT NULL, lineage BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE records (
            zone TEXT NOT NULL, type INTEGER NOT NULL, name TEXT NOT NULL, tag INTEGER NOT NULL,
            deleted INTEGER NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, type, name)) WITHOUT ROWID;
        CREATE UNIQUE INDEX records_changes ON records(zone, tag);
        CREATE TABLE operations (
            zone TEXT NOT NULL, device INTEGER NOT NULL, first INTEGER NOT NULL, tag INTEGER NOT NULL,
            count INTEGER NOT NULL DEFAULT 1, digests BLOB, PRIMARY KEY (zone, device, first)) WITHOUT ROWID;
        CREATE TABLE blobs (
            zone TEXT NOT NULL, name TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (zone, name)) WITHOUT ROWID;
        \(history)
        \(migrateThird)
        \(migrateFourth)
        """

    /// Creates the tables, or updates those of an older version.
    static func install(in db: Database, of url: URL) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        if found > version {
            throw SyncErrors.newer("\(url.lastPathComponent) was written by a newer version of Rutter")
        }
        if found == 0 {
            if try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0 {
                throw SyncErrors.schema("\(url.lastPathComponent) is a database, but not a sync cloud")
            }
            try db.execute(sql: create)
        } else if found < version {
            if found == 1 { try db.execute(sql: migrateFirst) }
            if found <= 2 { try db.execute(sql: migrateSecond) }
            if found <= 3 { try db.execute(sql: migrateThird) }
            try db.execute(sql: migrateFourth)
        }
        if found < version { try db.execute(sql: "PRAGMA user_version = \(version)") }
    }
}
