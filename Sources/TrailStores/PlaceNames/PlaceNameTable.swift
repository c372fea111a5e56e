import Foundation
import GRDB
import Geodesy
import PluginKit

/// Names of places in a database, with what finds them as one types.
///
/// Beside each name stands its folded form (`PlaceWords`), indexed for whole names and their beginnings; a full-text
/// table (FTS5) of the folded words with their prefixes; and an R*Tree of the places. Names are numbered by rank, so
/// that what comes first matters most. Apps leave these tables alone.
public enum PlaceNameTable {
    /// The tables and what they are filled through.
    static let tables = """
        CREATE TABLE rutter_names(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
          latitude REAL NOT NULL, longitude REAL NOT NULL, folded TEXT NOT NULL);
        CREATE VIRTUAL TABLE rutter_names_words USING fts5(
          words, content = '', detail = none, tokenize = 'ascii', prefix = '1 2 3');
        CREATE VIRTUAL TABLE rutter_names_places USING rtree(id, south, north, west, east);
        """
    static let index = "CREATE INDEX idx_rutter_names_folded ON rutter_names(folded)"
    private static let insertName = "INSERT INTO rutter_names VALUES (?, ?, ?, ?, ?, ?, ?)"
    private static let insertWords = "INSERT INTO rutter_names_words(rowid, words) VALUES (?, ?)"
    private static let insertPlace = "INSERT INTO rutter_names_places VALUES (?, ?, ?, ?, ?)"
    /// Names between two looks at whether to stop.
    private static let step = 1000

    /// A name to be written.
    public struct Entry: Sendable, Hashable {
        /// The name of the place.
        public var name: String
        /// What it is.
        public var kind: String
        /// 0 for what matters most … 9.
        public var rank: Int
        /// Where.
        public var coordinate: Coordinate
        /// Further names by which it is found.
        public var otherNames: [String]

        /// A name.
        public init(
            name: String, kind: String, rank: Int, coordinate: Coordinate, otherNames: [String] = []
        ) {
            self.name = name
            self.kind = kind
            self.rank = rank
            self.coordinate = coordinate
            self.otherNames = otherNames
        }
    }

    /// Makes the tables and fills them, within the caller's transaction.
    public static func write(_ entries: [Entry], to db: Database, check: () throws -> Void = {}) throws {
        try db.execute(sql: tables)
        let names = try db.makeStatement(sql: insertName)
        let words = try db.makeStatement(sql: insertWords)
        let places = try db.makeStatement(sql: insertPlace)
        let folded = entries.map { PlaceWords.fold($0.name) }
        let order = entries.indices.sorted { a, b in
            let (left, right) = (entries[a], entries[b])
            if left.rank != right.rank { return left.rank < right.rank }
            if folded[a] != folded[b] { return folded[a].lexicographicallyPrecedes(folded[b]) }
            return (left.kind, left.coordinate.latitude, left.coordinate.longitude, a)
                < (right.kind, right.coordinate.latitude, right.coordinate.longitude, b)
        }
        var id = 0
        for index in order where !folded[index].isEmpty && entries[index].coordinate.isValid {
            id += 1
            if id % step == 0 { try check() }
            let entry = entries[index]
            let key = String(decoding: folded[index], as: UTF8.self)
            let (latitude, longitude) = (entry.coordinate.latitude, entry.coordinate.longitude)
            try names.execute(arguments: [id, entry.name, entry.kind, entry.rank, latitude, longitude, key])
            // People leave apostrophes out: lhospitalet.
            let joined = PlaceWords.fold(entry.name, joinsArticles: true)
            let others =
                (entry.otherNames.map { PlaceWords.fold($0) } + (joined == folded[index] ? [] : [joined]))
                .map { String(decoding: $0, as: UTF8.self) }
            try words.execute(arguments: [id, ([key] + others).joined(separator: " ")])
            try places.execute(arguments: [id, latitude, latitude, longitude, longitude])
        }
        try db.execute(sql: index)
        try db.execute(sql: "INSERT INTO rutter_names_words(rutter_names_words) VALUES ('optimize')")
    }

    /// Whether a database has the tables.
    public static func exists(in db: Database) throws -> Bool { try db.tableExists("rutter_names") }
}
