import CivilTime
import Core
import Foundation
import GRDB
import Geodesy
import PluginKit

/// `waypoints.db`: the waypoints of an app or of a session.
public final class WaypointStore: Sendable {
    private let records: RecordTable<Waypoint>
    private var present: Set<String> { records.present }
    /// The connection, for checks and queries.
    public var connection: StoreConnection { records.connection }
    /// How unreadable rows in lists are handled.
    public var unreadable: UnreadablePolicy? { records.unreadable }

    /// Opens a store; a writable one is created or migrated.
    public init(_ url: URL, access: StoreAccess) throws(RutterError) {
        records = try RecordTable(url, access: access)
    }

    // MARK: Writing

    /// Adds a waypoint, with its photo if it has one.
    public func insert(_ waypoint: Waypoint, photo: WaypointPhoto? = nil) throws(RutterError) {
        var rest = [(waypoint: waypoint, photo: photo)][...]
        try insertAll(withPhotos: { rest.popFirst() })
    }

    /// Adds many waypoints in one transaction, all or none. `next` returns the waypoints, then `nil`; `check`
    /// is called every few hundred rows and cancels by throwing. Returns the number of waypoints.
    @discardableResult
    public func insertAll(
        _ next: () throws -> Waypoint?, check: (Int) throws -> Void = { _ in }
    ) throws(RutterError) -> Int {
        try insertAll(withPhotos: { try next().map { ($0, nil) } }, check: check)
    }

    /// The same for waypoints with optional photos.
    @discardableResult
    public func insertAll(
        withPhotos next: () throws -> (waypoint: Waypoint, photo: WaypointPhoto?)?,
        check: (Int) throws -> Void = { _ in }
    ) throws(RutterError) -> Int {
        try connection.write { db in
            let statement = try records.insertion(db, further: WaypointPhoto.columns)
            var count = 0
            while let (waypoint, photo) = try next() {
                let further = RecordTable.bind(waypoint, to: statement)
                statement.bind(further, photo?.photo)
                statement.bind(further + 1, photo?.thumbnail)
                try statement.run()
                count += 1
                if count % StoreSettings.batchStep == 0 { try check(count) }
            }
            return count
        }
    }

    /// Writes the differences between two states of a waypoint, and its photo if given (an empty one removes
    /// it). Returns `false` and writes nothing if the waypoint differs from `before`.
    @discardableResult
    public func update(
        _ before: Waypoint, to after: Waypoint, photo: WaypointPhoto? = nil
    ) throws(RutterError) -> Bool {
        try connection.write { db in
            try records.update(db, before, to: after, further: photo?.changes ?? [])
        }
    }

    /// Writes the differences between two states of several waypoints, in one transaction. Waypoints that
    /// differ from their previous state are skipped; returns the others.
    public func updateAll(
        _ changes: [(before: Waypoint, after: Waypoint)]
    ) throws(RutterError) -> [(before: Waypoint, after: Waypoint)] {
        try connection.write { db in
            try changes.filter { try records.update(db, $0.before, to: $0.after) }
        }
    }

    /// Removes waypoints, all or none. With `onlyUnchanged` they must equal the given values.
    public func remove(
        _ waypoints: [Waypoint], onlyUnchanged: Bool = false
    ) throws(RutterError) -> RecordRemoval<Waypoint> {
        try records.remove(waypoints, onlyUnchanged: onlyUnchanged)
    }

    /// Restores waypoints with all columns, all or none. Returns `false` if one of them exists.
    public func restore(_ rows: [StoredRow]) throws(RutterError) -> Bool { try records.restore(rows) }

    // MARK: Reading

    /// A waypoint by its identifier.
    public func waypoint(_ id: UUID) throws(RutterError) -> Waypoint? { try records.record(id) }

    /// The waypoints whose identifier begins with a prefix, ordered by identifier.
    public func waypoints(idPrefix: String, limit: Int) throws(RutterError) -> [Waypoint] {
        try records.records(idPrefix: idPrefix, limit: limit)
    }

    /// The waypoints with exactly this label; if there are none, ignoring case and accents.
    public func waypoints(label: String) throws(RutterError) -> [Waypoint] {
        guard present.contains("label") else { return [] }
        let exact = try fetch("WHERE label = ?", [label]).inOrder(newestFirst: true)
        if !exact.isEmpty || label.isEmpty { return exact }
        let folded = label.foldedForSearch
        return try labelled { $0.foldedForSearch == folded }
    }

    /// The waypoints whose label begins with a prefix, ignoring case and accents.
    public func waypoints(labelPrefix: String, limit: Int) throws(RutterError) -> [Waypoint] {
        guard present.contains("label") else { return [] }
        let folded = labelPrefix.foldedForSearch
        if folded.isEmpty {
            return try fetch("WHERE label <> '' ORDER BY label, timestamp DESC, id LIMIT ?", [limit])
        }
        return Array(try labelled { $0.foldedForSearch.hasPrefix(folded) }.prefix(limit))
    }

    /// Whether the store is empty.
    public func isEmpty() throws(RutterError) -> Bool {
        try connection.read { db in try Int.fetchOne(db, sql: "SELECT 1 FROM waypoints LIMIT 1") == nil }
    }

    /// All waypoints, newest first.
    public func all() throws(RutterError) -> [Waypoint] { try records.all() }

    /// All readable waypoints, newest first, and the problems of the other rows.
    public func readable() throws(RutterError) -> (waypoints: [Waypoint], problems: [RowProblem]) {
        try connection.read { db in
            let (waypoints, problems) = try records.readable(db)
            return (waypoints, problems)
        }
    }

    /// The waypoints of a hike, oldest first.
    public func waypoints(ofHike hike: UUID) throws(RutterError) -> [Waypoint] {
        guard present.contains("hike_id") else { return [] }
        // The inner query reads only the index, not the photos.
        return try fetch(
            """
            WHERE rowid IN (SELECT rowid FROM waypoints WHERE hike_id = ? COLLATE NOCASE) ORDER BY timestamp, id
            """, [hike.uuidString]
        ).inOrder(newestFirst: false)
    }

    /// The oldest waypoint of a hike with exactly this photo; `nil` if there is none.
    public func waypoint(ofHike hike: UUID, withPhoto photo: Data) throws(RutterError) -> Waypoint? {
        guard present.contains("hike_id"),
            let column = FormatProfile.stored("photo_data", in: present)?.sqlIdentifier
        else { return nil }
        // Photos of another length are not read.
        return try fetch(
            """
            WHERE rowid IN (
                SELECT rowid FROM waypoints
                WHERE hike_id = ? COLLATE NOCASE AND length(\(column)) = ? AND \(column) = ?)
            ORDER BY timestamp, id LIMIT 1
            """, [hike.uuidString, photo.count, photo]
        ).first
    }

    /// The waypoints without a hike.
    public func waypointsWithoutHike() throws(RutterError) -> [Waypoint] {
        try fetch(present.contains("hike_id") ? "WHERE hike_id IS NULL" : "", [])
    }

    /// The number of waypoints in each non-empty category, by name.
    public func counts() throws(RutterError) -> [(category: String, count: Int)] {
        let category = present.contains("category") ? "category" : "NULL"
        let stored: [(String, Int)] = try connection.read { db in
            try TypedRow.all(
                db,
                """
                SELECT CAST(ifnull(\(category), '') AS TEXT) AS category, count(*) AS count FROM waypoints GROUP BY 1
                """, of: "waypoints"
            )
            .map { (try $0.require("category"), try $0.require("count")) }
        }
        var counts: [String: Int] = [:]
        for (raw, count) in stored { counts[WaypointCategory.reading(raw).raw, default: 0] += count }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The photo and thumbnail of a waypoint.
    public func photo(of id: UUID) throws(RutterError) -> WaypointPhoto {
        let columns = WaypointPhoto.columns.map { FormatProfile.selected($0, in: present) }
        return try connection.read { db in
            guard let rowID = try RowIdentifier.find(db, WaypointSchema.table, id) else {
                return WaypointPhoto(photo: nil, thumbnail: nil)
            }
            let row = try TypedRow.first(
                db, "SELECT \(columns.joined(separator: ", ")) FROM waypoints WHERE rowid = ?",
                of: "waypoints", arguments: [rowID])
            return WaypointPhoto(
                photo: try row?.allow("photo_data"), thumbnail: try row?.allow("photo_thumbnail"))
        }
    }

    // MARK: Identifiers

    /// An identifier that the store does not have yet.
    public func freshID(_ next: () -> UUID) throws(RutterError) -> UUID { try records.freshID(next) }

    /// Generates many identifiers; in an empty store none can be taken.
    public func freshIDs(_ next: @escaping () -> UUID) throws(RutterError) -> () throws -> UUID {
        let isEmpty = try isEmpty()
        return isEmpty ? { next() } : { try self.freshID(next) }
    }

    // MARK: Near

    /// The waypoints within `radius` metres of a coordinate with their distances in metres, nearest first.
    /// The index narrows the search to a box (two across the antimeridian, all longitudes at a pole); the
    /// haversine distance decides.
    public func near(
        _ coordinate: Coordinate, radius: Double, limit: Int? = nil,
        visit: (Waypoint, Double, Bool) -> Void = { _, _, _ in }
    ) throws(RutterError) -> [(waypoint: Waypoint, distance: Double)] {
        let box = BoundingBox(center: coordinate, radius: radius)
        let farthest = Self.rounded(radius)
        var found: [(waypoint: Waypoint, distance: Double)] = []
        // Waypoints with an invalid latitude may be anywhere; reading them reports it. In SQLite's order text
        // and blobs come after all numbers. A single combined condition would need a full scan.
        for nowhere in ["> 90", "< -90", "IS NULL"] { _ = try fetch("WHERE latitude \(nowhere)", []) }
        for range in box.longitudeRanges {
            let candidates = try fetch(
                """
                WHERE latitude BETWEEN ? AND ?
                  AND (longitude BETWEEN ? AND ? OR longitude NOT BETWEEN -180 AND 180 OR longitude IS NULL)
                """, [box.south, box.north, range.lowerBound, range.upperBound])
            for waypoint in candidates {
                try Interruption.check()
                let distance = Self.rounded(coordinate.distance(to: waypoint.coordinate))
                let isWithin = distance <= farthest
                visit(waypoint, distance, isWithin)
                if isWithin { found.append((waypoint, distance)) }
            }
        }
        do {
            try found.sort {
                try Interruption.check()
                return ($0.distance, $0.waypoint.id) < ($1.distance, $1.waypoint.id)
            }
        } catch {
            throw StoreErrors.wrap(error, path: connection.url.lastPathComponent)
        }
        return limit.map { Array(found.prefix($0)) } ?? found
    }

    /// Rounds distances to a tenth of a millimetre: further digits are numerical noise, which would give
    /// equally distant waypoints an arbitrary order.
    private static func rounded(_ metres: Double) -> Double {
        (metres * StoreSettings.distanceSteps).rounded() / StoreSettings.distanceSteps
    }

    // MARK: Parts

    private func fetch(_ condition: String, _ arguments: StatementArguments) throws(RutterError) -> [Waypoint]
    {
        try records.fetch(condition, arguments)
    }

    /// The waypoints whose label passes a test that SQLite cannot evaluate.
    private func labelled(_ matches: (String) -> Bool) throws(RutterError) -> [Waypoint] {
        let labels: [String] = try connection.read { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT label FROM waypoints WHERE label <> '' ORDER BY label")
        }
        var found: [Waypoint] = []
        for label in labels where matches(label) {
            found += try fetch("WHERE label = ?", [label]).inOrder(newestFirst: true)
        }
        return found
    }
}

extension WaypointPhoto {
    /// The columns of photo and thumbnail.
    fileprivate static let columns = ["photo_data", "photo_thumbnail"]

    /// Both as they are written.
    fileprivate var changes: [(column: String, value: DatabaseValue)] {
        zip(Self.columns, [photo, thumbnail]).map { ($0, $1?.databaseValue ?? .null) }
    }
}
