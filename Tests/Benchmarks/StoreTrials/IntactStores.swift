import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Intact stores to damage: together they have all structures of SQLite's file format used by apps.
enum IntactStore: Int, CaseIterable {
    /// Tables of every kind, and deleted rows, on small pages so that trees are deep.
    case structures
    /// An app's own format.
    case waypoints
    /// Rows with references, in both kinds of table and along chains.
    case references
    /// In WAL mode, with commits in the log.
    case logged

    /// Writes the store; returns its files, the database first.
    func write(to url: URL) throws -> [URL] {
        switch self {
        case .structures: try make(url, Self.structuresSQL)
        case .references: try make(url, Self.referencesSQL)
        case .waypoints: try waypoints(url)
        case .logged: return try logged(url)
        }
        return [url]
    }

    private func make(_ url: URL, _ sql: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = 1024") }
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    private static let structuresSQL = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT, size REAL);
        CREATE TABLE keyed(a TEXT, b INTEGER, c BLOB, PRIMARY KEY (b, a)) WITHOUT ROWID;
        CREATE INDEX by_title ON notes(title);
        CREATE TABLE u(x TEXT UNIQUE, y INTEGER CHECK (y >= 0));
        CREATE TABLE made(id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER, twice INTEGER AS (a * 2) STORED);
        CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
        CREATE VIRTUAL TABLE words USING fts5(title);
        CREATE VIEW heavy AS SELECT id FROM notes WHERE size > 10;
        CREATE TRIGGER shrink AFTER DELETE ON u BEGIN DELETE FROM made WHERE a = old.y; END;
        CREATE TABLE gone(a, b);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO notes SELECT i, 'note ' || i,
          CASE WHEN i % 50 = 0 THEN hex(zeroblob(1500)) ELSE printf('%60s', 'body') END, i FROM n;
        INSERT INTO keyed SELECT title, id, zeroblob(20) FROM notes;
        INSERT INTO u SELECT 'u' || id, id FROM notes;
        INSERT INTO made(a) SELECT id FROM notes WHERE id < 100;
        INSERT INTO boxes SELECT id, id, id + 1, -id, 1 - id FROM notes WHERE id < 80;
        INSERT INTO words(rowid, title) SELECT id, title FROM notes WHERE id < 60;
        INSERT INTO gone SELECT id, title FROM notes;
        DROP TABLE gone;
        DELETE FROM notes WHERE id % 9 = 0;
        """

    private static let referencesSQL = """
        CREATE TABLE hikes(id TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE points(id INTEGER PRIMARY KEY, hike TEXT NOT NULL REFERENCES hikes(id) ON DELETE CASCADE, height REAL);
        CREATE TABLE tags(hike TEXT REFERENCES hikes, tag TEXT, PRIMARY KEY (hike, tag)) WITHOUT ROWID;
        CREATE TABLE replies(id INTEGER PRIMARY KEY, before INTEGER REFERENCES replies, text TEXT);
        CREATE TABLE pairs(a INTEGER, b TEXT, UNIQUE (a, b));
        CREATE TABLE uses(id INTEGER PRIMARY KEY, a INTEGER, b TEXT, FOREIGN KEY (a, b) REFERENCES pairs(a, b));
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO points SELECT i, 'hike ' || (i % 60), i FROM n;
        INSERT INTO hikes SELECT DISTINCT hike, printf('%40s', hike) FROM points;
        INSERT INTO tags SELECT hike, 'tag ' || id FROM points WHERE id < 120;
        INSERT INTO replies SELECT id, nullif(id - 1, 0), printf('%30d', id) FROM points WHERE id <= 80;
        INSERT INTO pairs SELECT id, 'b' || id FROM points WHERE id < 60;
        INSERT INTO uses SELECT id, 1 + id % 59, 'b' || (1 + id % 59) FROM points;
        """

    private func waypoints(_ url: URL) throws {
        let random = RandomSource(seed: 7)
        do {
            let store = try WaypointStore(url, access: .own)
            var index = 0
            try store.insertAll {
                guard index < 250 else { return nil }
                index += 1
                return Waypoint(
                    id: random.uuid(),
                    coordinate: Coordinate(
                        latitude: 46 + random.uniform(), longitude: 7 + random.uniform(), altitude: 1200),
                    timestamp: Timestamp(milliseconds: 1_700_000_000_000 + Int64(index) * 1000),
                    label: "Place \(index)", rawCategory: WaypointCategory.all[index % 9].raw, note: "a note")
            }
        }
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
    }

    /// The files are copied while the program that wrote them still runs.
    private func logged(_ url: URL) throws -> [URL] {
        let live = url.deletingLastPathComponent().appendingPathComponent("live.db")
        try make(live, Self.structuresSQL)
        let queue = try DatabaseQueue(path: live.path)
        try queue.writeWithoutTransaction {
            try $0.execute(
                sql: """
                    PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
                    UPDATE notes SET body = 'changed' WHERE id % 7 = 0; DELETE FROM keyed WHERE b % 5 = 0;
                    INSERT INTO notes SELECT 1000 + id, title, hex(zeroblob(800)), size FROM notes WHERE id < 40;
                    """)
        }
        let log = URL(fileURLWithPath: url.path + "-wal")
        try FileManager.default.copyItem(at: live, to: url)
        try FileManager.default.copyItem(atPath: live.path + "-wal", toPath: log.path)
        try queue.close()
        return [url, log]
    }
}
