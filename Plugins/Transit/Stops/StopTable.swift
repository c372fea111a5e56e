import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Stops found in a region or around a coordinate.
package struct FoundStops: Sendable {
    /// The stops, nearest to the centre first, with the distance from it in metres.
    package var stops: [(stop: StopRecord, distance: Double)]
    /// The number of stops before the limit.
    package var total: Int
}

/// The stops of a timetable.
package struct StopTable {
    let feed: Feed

    /// Stops by their numbers, in that order, also those of messages; unknown numbers are skipped.
    package func rows(_ numbers: [Int64]) throws -> [StopRecord] {
        let brought = numbers.contains { $0 < 0 } ? feed.messageStops.withLock { $0 } : nil
        return try feed.read { db in
            let fetch = try StopFetch(db, feed.layout, brought)
            return try numbers.compactMap { try fetch.stop($0) }
        }
    }

    /// All stops in the order of their numbers.
    func all() throws -> [StopRecord] {
        try feed.read { db in
            let row = try RawStatement(db, StopFetch.select(feed.layout) + " ORDER BY s.sid")
            var stops: [StopRecord] = []
            while try row.next() {
                if stops.count % TransitSettings.rowStep == 0, Task.isCancelled {
                    throw Interruption.stopped
                }
                stops.append(StopFetch.record(row, feed.translation))
            }
            return stops
        }
    }

    /// The stop with an identifier.
    package func with(id: String) throws -> StopRecord? {
        try feed.read { db in
            guard let number = try number(of: id, db) else { return nil }
            return try StopFetch(db, feed.layout).stop(number)
        }
    }

    private func number(of id: String, _ db: Database) throws -> Int64? {
        let find = try RawStatement(db, "SELECT sid FROM dict_stop WHERE stop_id = ?", isCached: true)
        find.bind(1, id)
        return try find.next() ? find.integer(0) : nil
    }

    /// The stop and its parts: platforms of a station, boarding areas of a platform.
    func parts(of stop: StopRecord) throws -> [Int64] {
        guard feed.layout.stopColumns.contains("s.parent_station") else { return [stop.number] }
        return try feed.read { db in
            let find = try RawStatement(
                db,
                """
                SELECT s.sid, d.stop_id FROM stops s JOIN dict_stop d ON d.sid = s.sid
                  WHERE s.parent_station = ? AND s.parent_station IS NOT NULL ORDER BY s.sid
                """, isCached: true)
            var numbers = [stop.number]
            var waiting = [stop.id]
            var depth = 0
            // GTFS has no level below boarding areas; deeper ones in a file are ignored.
            while !waiting.isEmpty, depth < 2 {
                depth += 1
                var next: [String] = []
                for id in waiting {
                    find.reset()
                    find.bind(1, id)
                    while try find.next() {
                        let number = find.integer(0)
                        if numbers.contains(number) { continue }
                        numbers.append(number)
                        if let id = find.text(1) { next.append(id) }
                    }
                }
                waiting = next
            }
            return numbers
        }
    }

    /// The lines that serve a stop or its parts, in the order of names.
    func lines(of stop: StopRecord) throws -> [Feed.Route] { try lines(at: try parts(of: stop)) }

    /// The lines that call at any of some stops, in the order of names.
    func lines(at stops: [Int64]) throws -> [Feed.Route] {
        try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT DISTINCT p.rid FROM \(feed.layout.calls) c JOIN \(feed.layout.patterns) p ON p.pid = c.pid WHERE c.sid = ?
                """, isCached: true)
            var found: Set<Int64> = []
            for stop in stops {
                rows.reset()
                rows.bind(1, stop)
                while try rows.next() { found.insert(rows.integer(0)) }
            }
            return found.compactMap { feed.routes[$0] }.sorted { $0.rank < $1.rank }
        }
    }

    // MARK: Regions

    /// The region of all stops of the index; `nil` without stops.
    func extent() throws -> BoundingBox? {
        try feed.read { db in
            let bounds = try RawStatement(
                db,
                "SELECT min(min_lat), min(min_lon), max(max_lat), max(max_lon), count(*) FROM \(feed.layout.tree)"
            )
            guard try bounds.next(), bounds.integer(4) > 0 else { return nil }
            return BoundingBox(
                south: bounds.number(0), west: bounds.number(1), north: bounds.number(2),
                east: bounds.number(3))
        }
    }

    /// The stops of a region, nearest to its centre first; the same region always returns the same stops.
    ///
    /// Reads the index entries of the region, and only the rows of the returned stops.
    package func inside(_ box: BoundingBox, limit: Int) throws -> FoundStops {
        try nearest(to: box.center, in: box, radius: nil, limit: limit)
    }

    /// The stops around a coordinate within a radius in metres, nearest first.
    package func near(_ coordinate: Coordinate, radius: Double, limit: Int) throws -> FoundStops {
        let box = BoundingBox(center: coordinate, radius: radius)
        return try nearest(to: coordinate, in: box, radius: radius, limit: limit)
    }

    private func nearest(
        to center: Coordinate, in box: BoundingBox, radius: Double?, limit: Int
    ) throws -> FoundStops {
        try feed.read { db in
            let fetch = try StopFetch(db, feed.layout)
            var found: [(number: Int64, distance: Double)] = []
            for range in box.longitudeRanges {
                let tree = try RawStatement(
                    db,
                    """
                    SELECT sid, min_lat, min_lon FROM \(feed.layout.tree)
                      WHERE max_lat >= ? AND min_lat <= ? AND max_lon >= ? AND min_lon <= ?
                    """, isCached: true)
                tree.bind(1, box.south)
                tree.bind(2, box.north)
                tree.bind(3, range.lowerBound)
                tree.bind(4, range.upperBound)
                while try tree.next() {
                    if found.count % TransitSettings.rowStep == 0, Task.isCancelled {
                        throw Interruption.stopped
                    }
                    // The tree's bounds are rounded outward to 32 bits.
                    let place = Coordinate(latitude: tree.number(1), longitude: tree.number(2))
                    let number = tree.integer(0)
                    var distance = center.distance(to: place)
                    if radius.map({ abs(distance - $0) < TransitSettings.treeSlack })
                        ?? Self.isNearEdge(place, box)
                    {
                        guard let exact = try fetch.coordinate(number) else { continue }
                        distance = center.distance(to: exact)
                        guard radius.map({ distance <= $0 }) ?? box.contains(exact) else { continue }
                    } else if let radius, distance > radius {
                        continue
                    }
                    found.append((number, distance))
                }
            }
            let stops = try cachedStops(Self.candidates(found, limit: limit), fetch)
            let distances = stops.map { $0.coordinate.map(center.distance) ?? .infinity }
            // Sort numbers instead of stops, which are large.
            let order = stops.indices.sorted { left, right in
                distances[left] == distances[right]
                    ? stops[left].id.utf8.lexicographicallyPrecedes(stops[right].id.utf8)
                    : distances[left] < distances[right]
            }
            return FoundStops(
                stops: order.prefix(max(0, limit)).map { (stops[$0], distances[$0]) }, total: found.count)
        }
    }

    /// Stops by number, in any order; those of the last regions are cached, because a map shows most of
    /// them again.
    private func cachedStops(_ numbers: [Int64], _ fetch: StopFetch) throws -> [StopRecord] {
        var found: [StopRecord] = []
        found.reserveCapacity(numbers.count)
        var missing: [Int64] = []
        feed.regionStops.withLock { kept in
            for number in numbers {
                if let stop = kept[number] { found.append(stop) } else { missing.append(number) }
            }
        }
        guard !missing.isEmpty else { return found }
        let new = try missing.compactMap { try fetch.stop($0) }
        feed.regionStops.withLock { kept in
            if kept.count + new.count > TransitSettings.stopsKept { kept = [:] }
            for stop in new { kept[stop.number] = stop }
        }
        return found + new
    }

    /// Whether a rounded coordinate can be on the other side of an edge.
    private static func isNearEdge(_ coordinate: Coordinate, _ box: BoundingBox) -> Bool {
        let margin = TransitSettings.treeMargin
        return abs(coordinate.latitude - box.south) < margin || abs(coordinate.latitude - box.north) < margin
            || abs(coordinate.longitude - box.west) < margin || abs(coordinate.longitude - box.east) < margin
    }

    /// The candidates for the nearest stops: more than requested, as distances are approximate.
    private static func candidates(
        _ found: [(number: Int64, distance: Double)], limit: Int
    ) -> [Int64] {
        guard found.count > limit, limit > 0 else { return found.map(\.number) }
        let distances = found.map(\.distance).sorted()
        let reach = distances[limit - 1] + 2 * TransitSettings.treeSlack
        return found.filter { $0.distance <= reach }.map(\.number)
    }

    // MARK: Lists

    /// The first stops of the list of all stops.
    package func foremost(_ limit: Int) throws -> [StopRecord] {
        try feed.read { db in
            let rows = try RawStatement(db, "SELECT sid FROM stops ORDER BY sid LIMIT ?", isCached: true)
            rows.bind(1, Int64(limit))
            let fetch = try StopFetch(db, feed.layout)
            var stops: [StopRecord] = []
            while try rows.next() {
                if let stop = try fetch.stop(rows.integer(0)) { stops.append(stop) }
            }
            return stops
        }
    }

    /// All stops of a region for the map; if there are more than the limit, the nearest to its centre.
    func points(in box: BoundingBox, limit: Int = TransitSettings.screenLimit) throws -> LoadedStops {
        var points = try feed.read { db in
            var points: [StopPoint] = []
            for range in box.longitudeRanges {
                let rows = try RawStatement(
                    db,
                    """
                    SELECT s.sid, s.stop_lat, s.stop_lon, \(feed.layout.modeColumn) FROM \(feed.layout.tree) t
                      JOIN stops s ON s.sid = t.sid \(feed.layout.modeJoin)
                      WHERE t.max_lat >= ? AND t.min_lat <= ? AND t.max_lon >= ? AND t.min_lon <= ?
                    """, isCached: true)
                for (index, bound) in [box.south, box.north, range.lowerBound, range.upperBound].enumerated()
                {
                    rows.bind(Int32(index + 1), bound)
                }
                while try rows.next() {
                    if points.count % TransitSettings.rowStep == 0 { try Interruption.check() }
                    guard let place = StopFetch.place(rows.number(1), rows.number(2)), box.contains(place)
                    else {
                        continue
                    }
                    points.append(
                        StopPoint(
                            number: rows.integer(0), coordinate: place,
                            mode: TransitMode(routeType: rows.isNull(3) ? nil : Int(rows.integer(3)))))
                }
            }
            return points
        }
        // The tree has no order; that of the numbers is the order of importance.
        points.sort { $0.number < $1.number }
        let total = points.count
        guard total > limit else { return LoadedStops(points: points, total: total, coverage: .region(box)) }
        let center = box.center
        let near = points.map { (point: $0, distance: center.distance(to: $0.coordinate)) }
            .sorted { ($0.distance, $0.point.number) < ($1.distance, $1.point.number) }
        // The stops at the distance of the first excluded one may be incomplete.
        return LoadedStops(
            points: near.prefix(limit).map(\.point), total: total,
            coverage: .circle(center, radius: near[limit].distance.nextDown))
    }

    /// Stops with the lines that serve them, unless there are too many.
    func described(_ stops: [StopRecord], distanceFrom center: Coordinate? = nil) throws -> [StopObject] {
        guard stops.count <= TransitSettings.describedStops else { return stops.map { StopObject($0) } }
        return try stops.map { stop in
            StopObject(
                stop, distance: center.flatMap { stop.coordinate.map($0.distance) },
                lines: try lines(of: stop))
        }
    }

    // MARK: Local time

    /// The zone of a stop's local time: its own, or that of the feed of its lines.
    func zone(of stop: StopRecord) throws -> TimeZone {
        if let own = stop.zone { return own }
        guard feed.zones.count > 1 else { return feed.zone }
        return try lines(of: stop).first?.zone ?? zone(ofIdentifier: stop.id)
    }

    /// The local zone around a coordinate: that of the nearest stop.
    package func zone(near coordinate: Coordinate) throws -> TimeZone {
        guard feed.zones.count > 1 || feed.layout.hasStopZones,
            let stop = try near(coordinate, radius: JourneySettings.mostWalk, limit: 1).stops.first?.stop
        else { return feed.zone }
        return try zone(of: stop)
    }

    /// The zone of the feed with the longest matching identifier prefix.
    private func zone(ofIdentifier id: String) -> TimeZone {
        let origin = feed.origins.filter { id.hasPrefix($0.prefix) }.max { $0.prefix.count < $1.prefix.count }
        return origin.flatMap { TimeZone(databaseName: $0.zone) } ?? feed.zone
    }
}

/// Fetches stops by their numbers with one prepared statement.
struct StopFetch {
    private let statement: RawStatement
    private let coordinates: RawStatement
    private let translation: FeedTranslation?
    /// The stops of messages, if they may be asked for.
    private let brought: MessageStops?

    init(_ db: Database, _ layout: FeedLayout, _ brought: MessageStops? = nil) throws {
        (translation, self.brought) = (layout.translation, brought)
        statement = try RawStatement(db, Self.select(layout) + " WHERE s.sid = ?", isCached: true)
        coordinates = try RawStatement(
            db, "SELECT stop_lat, stop_lon FROM stops WHERE sid = ?", isCached: true)
    }

    /// The whole stop.
    func stop(_ number: Int64) throws -> StopRecord? {
        if number < 0, let stop = brought?.stop(number) { return stop }
        statement.reset()
        statement.bind(1, number)
        return try statement.next() ? Self.record(statement, translation) : nil
    }

    /// The SELECT statement that `record` reads.
    static func select(_ layout: FeedLayout) -> String {
        """
        SELECT \(layout.stopColumns), \(layout.modeColumn), \(layout.stopZone) FROM stops s JOIN dict_stop d ON d.sid = s.sid
          \(layout.modeJoin)
        """
    }

    /// The stop of a row.
    static func record(_ row: RawStatement, _ translation: FeedTranslation?) -> StopRecord {
        let (id, name) = (row.text(1) ?? "", row.text(2) ?? "")
        return StopRecord(
            number: row.integer(0), id: id,
            name: translation?.text("stops", "stop_name", of: id, name) ?? name, code: row.text(3),
            description: row.text(4),
            coordinate: Self.place(row.number(5), row.number(6)),
            kind: StopKind(rawValue: Int(row.integer(7))) ?? .stop, parent: row.text(8),
            wheelchair: row.isNull(9) ? nil : Int(row.integer(9)), platform: row.text(10),
            routeType: row.isNull(11) ? nil : Int(row.integer(11)), timezone: row.text(12))
    }

    /// The coordinate only.
    func coordinate(_ number: Int64) throws -> Coordinate? {
        coordinates.reset()
        coordinates.bind(1, number)
        guard try coordinates.next() else { return nil }
        return Self.place(coordinates.number(0), coordinates.number(1))
    }

    /// The place at two angles in degrees; `nil` for none, which zeros stand for, too: no stop is in the Gulf of Guinea.
    static func place(_ latitude: Double, _ longitude: Double) -> Coordinate? {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        return place.isValid && (latitude != 0 || longitude != 0) ? place : nil
    }
}
