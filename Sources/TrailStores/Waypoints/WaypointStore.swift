import CivilTime
import Foundation
import GRDB
import Geodesy
import PluginKit

/// `waypoints.db`: the waypoints of an app or of a session.
public final class WaypointStore: Sendable {
    /// The connection, for checks and queries.
    public let connection: StoreConnection
    private let present: Set<String>

    /// Opens a store; a writable one is made or migrated.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        let connection = try StoreConnection(url, access: access)
        if access != .foreign { try connection.write { db in try WaypointSchema.migrate(db) } }
        present = try connection.read { db in try WaypointSchema.columns(db, path: url.lastPathComponent) }
        self.connection = connection
    }

    // MARK: Writing

    private static let insertion = """
        INSERT INTO waypoints (id, latitude, longitude, altitude, timestamp, label, category, note, has_photo, \
        hike_id, photo_data, photo_thumbnail, modified_at, cloudkit_record_id) \
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Adds a waypoint, with its photo where it has one.
    public func insert(_ waypoint: Waypoint, photo: WaypointPhoto = .init(photo: nil, thumbnail: nil))
        throws(RutterError)
    {
        try connection.write { db in
            try db.cachedStatement(sql: Self.insertion).execute(
                arguments: WaypointRow.arguments(waypoint, photo))
        }
    }

    /// Adds many waypoints in one transaction: all of them, or none.
    ///
    /// `next` gives the waypoints until it gives `nil`; `check` is called every few hundred rows and stops the
    /// whole by throwing. Gives the number of waypoints.
    @discardableResult
    public func insertAll(
        _ next: () throws -> Waypoint?, check: (Int) throws -> Void = { _ in }
    ) throws(RutterError) -> Int {
        try connection.write { db in
            let statement = try db.cachedStatement(sql: Self.insertion)
            let none = WaypointPhoto(photo: nil, thumbnail: nil)
            var count = 0
            while let waypoint = try next() {
                statement.setUncheckedArguments(WaypointRow.arguments(waypoint, none))
                try statement.execute()
                count += 1
                if count % StoreSettings.batchStep == 0 { try check(count) }
            }
            return count
        }
    }

    /// Writes the fields of a waypoint that can change. `false` when there is no such waypoint.
    @discardableResult
    public func update(_ waypoint: Waypoint) throws(RutterError) -> Bool {
        try connection.write { db in
            try db.cachedStatement(
                sql: """
                    UPDATE waypoints SET latitude = ?, longitude = ?, altitude = ?, label = ?, category = ?, \
                    note = ?, has_photo = ?, hike_id = ?, modified_at = ? WHERE id = ? COLLATE NOCASE
                    """
            ).execute(arguments: [
                waypoint.coordinate.latitude, waypoint.coordinate.longitude, waypoint.coordinate.altitude,
                waypoint.label, waypoint.rawCategory, waypoint.note, waypoint.hasPhoto ? 1 : 0,
                waypoint.hikeID?.uuidString,
                waypoint.modifiedAt.map { ISO8601.text($0, fraction: .always) }, waypoint.id.uuidString,
            ])
            return db.changesCount > 0
        }
    }

    /// Replaces a waypoint's photo, or takes it away.
    public func setPhoto(_ photo: WaypointPhoto, of waypoint: Waypoint) throws(RutterError) {
        try connection.write { db in
            try db.execute(
                sql: """
                    UPDATE waypoints SET photo_data = ?, photo_thumbnail = ?, has_photo = ?, modified_at = ? \
                    WHERE id = ? COLLATE NOCASE
                    """,
                arguments: [
                    photo.photo, photo.thumbnail, photo.photo == nil ? 0 : 1,
                    waypoint.modifiedAt.map { ISO8601.text($0, fraction: .always) }, waypoint.id.uuidString,
                ])
        }
    }

    /// Removes a waypoint. `false` when there is no such waypoint.
    @discardableResult
    public func delete(_ id: UUID) throws(RutterError) -> Bool {
        try connection.write { db in
            try db.execute(
                sql: "DELETE FROM waypoints WHERE id = ? COLLATE NOCASE", arguments: [id.uuidString])
            return db.changesCount > 0
        }
    }

    /// Removes several waypoints at once: all of them, or none when one fails.
    public func delete(_ ids: [UUID]) throws(RutterError) {
        try connection.write { db in
            let statement = try db.cachedStatement(sql: "DELETE FROM waypoints WHERE id = ? COLLATE NOCASE")
            for id in ids { try statement.execute(arguments: [id.uuidString]) }
        }
    }

    // MARK: Reading

    /// A waypoint by its identifier.
    public func waypoint(_ id: UUID) throws(RutterError) -> Waypoint? {
        try fetch("WHERE id = ? COLLATE NOCASE", [id.uuidString]).first
    }

    /// The waypoints whose identifier begins with a text, in the order of their identifiers.
    public func waypoints(idPrefix: String, limit: Int) throws(RutterError) -> [Waypoint] {
        guard !idPrefix.isEmpty, idPrefix.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
        return try fetch("WHERE id LIKE ? ORDER BY id LIMIT ?", [idPrefix + "%", limit])
    }

    /// The waypoints with a label, exactly as written; where there is none, without regard to case and accents.
    public func waypoints(label: String) throws(RutterError) -> [Waypoint] {
        let exact = try fetch("WHERE label = ? ORDER BY timestamp DESC, id", [label])
        if !exact.isEmpty || label.isEmpty { return exact }
        let folded = label.foldedForSearch
        return try labelled { $0.foldedForSearch == folded }
    }

    /// The waypoints with a label that begins with a text, without regard to case and accents.
    public func waypoints(labelPrefix: String, limit: Int) throws(RutterError) -> [Waypoint] {
        let folded = labelPrefix.foldedForSearch
        if folded.isEmpty {
            return try fetch("WHERE label <> '' ORDER BY label, timestamp DESC, id LIMIT ?", [limit])
        }
        return Array(try labelled { $0.foldedForSearch.hasPrefix(folded) }.prefix(limit))
    }

    /// All waypoints, or the first few of them, newest first.
    public func all(limit: Int = .max) throws(RutterError) -> [Waypoint] {
        try fetch("ORDER BY timestamp DESC, id LIMIT ?", [limit])
    }

    /// The waypoints of a hike, oldest first.
    public func waypoints(ofHike hike: UUID) throws(RutterError) -> [Waypoint] {
        try fetch("WHERE hike_id = ? COLLATE NOCASE ORDER BY timestamp, id", [hike.uuidString])
    }

    /// How many waypoints there are, by category as it is stored.
    public func counts() throws(RutterError) -> [(category: String, count: Int)] {
        try connection.read { db in
            try Row.fetchAll(
                db, sql: "SELECT category, count(*) FROM waypoints GROUP BY category ORDER BY category"
            )
            .map { (($0[0] as String?) ?? "", $0[1]) }
        }
    }

    /// The photo and thumbnail of a waypoint.
    public func photo(of id: UUID) throws(RutterError) -> WaypointPhoto {
        let columns = ["photo_data", "photo_thumbnail"].map { present.contains($0) ? $0 : "NULL" }
        return try connection.read { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT \(columns.joined(separator: ", ")) FROM waypoints WHERE id = ? COLLATE NOCASE",
                arguments: [id.uuidString])
            return WaypointPhoto(photo: row?[0], thumbnail: row?[1])
        }
    }

    // MARK: Identifiers

    /// An identifier that the store does not have yet. A session with the seed of an earlier one makes the same
    /// identifiers again.
    public func freshID(_ next: () -> UUID) throws(RutterError) -> UUID {
        while true {
            let id = next()
            if try waypoint(id) == nil { return id }
        }
    }

    /// Makes many identifiers; in an empty store none can be taken.
    public func freshIDs(_ next: @escaping () -> UUID) throws(RutterError) -> () throws -> UUID {
        let isEmpty = try all(limit: 1).isEmpty
        return isEmpty ? { next() } : { try self.freshID(next) }
    }

    // MARK: Near

    /// The waypoints within `radius` metres of a place with their distances in metres, nearest first.
    ///
    /// The index narrows the search to a box (two across the antimeridian, all longitudes at a pole); haversine
    /// distance decides.
    public func near(
        _ place: Coordinate, radius: Double, limit: Int? = nil,
        visit: (Waypoint, Double, Bool) -> Void = { _, _, _ in }
    ) throws(RutterError) -> [(waypoint: Waypoint, distance: Double)] {
        let box = BoundingBox(center: place, radius: radius)
        var found: [(waypoint: Waypoint, distance: Double)] = []
        for range in box.longitudeRanges {
            let candidates = try fetch(
                "WHERE latitude BETWEEN ? AND ? AND longitude BETWEEN ? AND ?",
                [box.south, box.north, range.lowerBound, range.upperBound])
            for waypoint in candidates {
                let distance = place.distance(to: waypoint.coordinate)
                let isWithin = distance <= radius
                visit(waypoint, distance, isWithin)
                if isWithin { found.append((waypoint, distance)) }
            }
        }
        found.sort { ($0.distance, $0.waypoint.id.uuidString) < ($1.distance, $1.waypoint.id.uuidString) }
        return limit.map { Array(found.prefix($0)) } ?? found
    }

    // MARK: Parts

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws(RutterError) -> [Waypoint]
    {
        try connection.read { db in
            let sql = "SELECT \(WaypointRow.columns(present)) FROM waypoints \(condition)"
            let rows = try Row.fetchCursor(try db.cachedStatement(sql: sql), arguments: arguments)
            var found: [Waypoint] = []
            while let row = try rows.next() { found.append(try WaypointRow.waypoint(row)) }
            return found
        }
    }

    /// The waypoints whose label passes a test that SQLite cannot make.
    private func labelled(_ matches: (String) -> Bool) throws(RutterError) -> [Waypoint] {
        let labels: [String] = try connection.read { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT label FROM waypoints WHERE label <> '' ORDER BY label")
        }
        var found: [Waypoint] = []
        for label in labels where matches(label) {
            found += try fetch("WHERE label = ? ORDER BY timestamp DESC, id", [label])
        }
        return found
    }
}

extension String {
    /// The text without case and accents, for comparing what people type.
    public var foldedForSearch: String {
        folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
