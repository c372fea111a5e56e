import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit

/// `routes.db`: the recorded hikes of an app or of a session.
public final class HikeStore: Sendable {
    /// The connection, for checks and queries.
    public let connection: StoreConnection
    private let columns: String

    private static let create = """
        CREATE TABLE IF NOT EXISTS saved_routes (
            id TEXT PRIMARY KEY, name TEXT NOT NULL,
            start_latitude REAL NOT NULL, start_longitude REAL NOT NULL,
            end_latitude REAL NOT NULL, end_longitude REAL NOT NULL,
            start_time TEXT NOT NULL, end_time TEXT NOT NULL,
            total_distance REAL NOT NULL, elevation_gain REAL NOT NULL, elevation_loss REAL NOT NULL,
            walking_time REAL NOT NULL, resting_time REAL NOT NULL,
            avg_heart_rate REAL, max_heart_rate REAL, estimated_calories REAL,
            comment TEXT NOT NULL DEFAULT '', region_id TEXT, track_data BLOB NOT NULL,
            modified_at TEXT, cloudkit_record_id TEXT
        );
        CREATE INDEX IF NOT EXISTS idx_routes_time ON saved_routes(start_time);
        """

    private static let needed = ["id", "name", "start_time", "track_data"]

    /// Opens a store; a writable one is made or migrated.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        let connection = try StoreConnection(url, access: access)
        if access != .foreign {
            try connection.write { db in
                try db.execute(sql: Self.create)
                let present = try db.columns(in: "saved_routes").map(\.name)
                for name in ["modified_at", "cloudkit_record_id"] where !present.contains(name) {
                    try db.execute(sql: "ALTER TABLE saved_routes ADD COLUMN \(name) TEXT")
                }
            }
        }
        columns = try connection.read { db in
            guard try db.tableExists("saved_routes") else {
                throw StoreErrors.schema("\(url.lastPathComponent) has no table saved_routes")
            }
            let present = Set(try db.columns(in: "saved_routes").map(\.name))
            if let missing = Self.needed.first(where: { !present.contains($0) }) {
                throw StoreErrors.schema("\(url.lastPathComponent): saved_routes has no column \(missing)")
            }
            return HikeRow.columns.map { present.contains($0) ? $0 : "NULL AS \($0)" }.joined(separator: ", ")
        }
        self.connection = connection
    }

    // MARK: Reading

    /// All hikes, newest first.
    public func all() throws(RutterError) -> [Hike] { try fetch("ORDER BY start_time DESC, id", []) }

    /// A hike by its identifier.
    public func hike(_ id: UUID) throws(RutterError) -> Hike? {
        try fetch("WHERE id = ? COLLATE NOCASE", [id.uuidString]).first
    }

    /// The hikes whose identifier begins with a text.
    public func hikes(idPrefix: String, limit: Int) throws(RutterError) -> [Hike] {
        guard !idPrefix.isEmpty, idPrefix.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
        return try fetch("WHERE id LIKE ? ORDER BY id LIMIT ?", [idPrefix + "%", limit])
    }

    /// The hikes with a name, exactly as written; where there is none, without regard to case and accents.
    public func hikes(named name: String) throws(RutterError) -> [Hike] {
        let hikes = try all()
        let exact = hikes.filter { $0.name == name }
        if !exact.isEmpty || name.isEmpty { return exact }
        let folded = name.foldedForSearch
        return hikes.filter { $0.name.foldedForSearch == folded }
    }

    /// The points of a hike. Throws `E-STORE-TRACK` when they cannot be decoded.
    public func track(of hike: Hike) throws(RutterError) -> [TrackPoint] {
        let blob: Data? = try connection.read { db in
            try Data.fetchOne(
                db, sql: "SELECT track_data FROM saved_routes WHERE id = ? COLLATE NOCASE",
                arguments: [hike.id.uuidString])
        }
        let source = "\(connection.url.lastPathComponent), hike \(hike.id.uuidString)"
        return try TrackCodec.decode(blob ?? Data(), source: source)
    }

    // MARK: Writing

    /// Adds a hike with its points.
    public func insert(_ hike: Hike, track: [TrackPoint]) throws(RutterError) {
        let blob = TrackCodec.encode(track)
        try connection.write { db in
            try db.cachedStatement(
                sql: """
                    INSERT INTO saved_routes (\(HikeRow.columns.joined(separator: ", ")), track_data) \
                    VALUES (\(HikeRow.columns.map { _ in "?" }.joined(separator: ", ")), ?)
                    """
            ).execute(arguments: Self.arguments(hike) + [blob])
        }
    }

    /// Writes a hike's name and comment. `false` when there is no such hike.
    @discardableResult
    public func update(_ hike: Hike) throws(RutterError) -> Bool {
        try connection.write { db in
            try db.execute(
                sql:
                    "UPDATE saved_routes SET name = ?, comment = ?, modified_at = ? WHERE id = ? COLLATE NOCASE",
                arguments: [
                    hike.name, hike.comment, hike.modifiedAt.map { ISO8601.text($0, fraction: .always) },
                    hike.id.uuidString,
                ])
            return db.changesCount > 0
        }
    }

    /// Removes a hike. `false` when there is no such hike.
    @discardableResult
    public func delete(_ id: UUID) throws(RutterError) -> Bool {
        try connection.write { db in
            try db.execute(
                sql: "DELETE FROM saved_routes WHERE id = ? COLLATE NOCASE", arguments: [id.uuidString])
            return db.changesCount > 0
        }
    }

    // MARK: Parts

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws(RutterError) -> [Hike] {
        try connection.read { db in
            let sql = "SELECT \(columns) FROM saved_routes \(condition)"
            let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
            var found: [Hike] = []
            while let row = try rows.next() { found.append(Hike(reading: try HikeRow(row))) }
            return found
        }
    }

    private static func arguments(_ hike: Hike) -> StatementArguments {
        let time = { (moment: Timestamp) in ISO8601.text(moment, fraction: .always) }
        return [
            hike.id.uuidString, hike.name, hike.start.latitude, hike.start.longitude, hike.end.latitude,
            hike.end.longitude, time(hike.startTime), time(hike.endTime), hike.distance, hike.gain, hike.loss,
            hike.walkingTime, hike.restingTime, hike.averageHeartRate, hike.maximumHeartRate, hike.calories,
            hike.comment, hike.regionID, hike.modifiedAt.map(time), hike.cloudRecordID,
        ]
    }
}
