import GRDB
import Geodesy
import PluginKit
import TrailStores

/// The bytes of a stored line: pairs of little-endian 32-bit numbers in ten-millionths of a degree.
enum StoredLine {
    /// The bytes of points.
    static func bytes(_ points: ArraySlice<ShapeLines.Point>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(points.count * 8)
        for point in points {
            for number in [point.latitude, point.longitude] {
                withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }

    /// The coordinates of stored bytes; an incomplete pair at the end is ignored.
    static func coordinates(_ bytes: UnsafeRawBufferPointer) -> [Coordinate] {
        (0..<bytes.count / 8).map { index in
            func number(_ offset: Int) -> Double {
                let raw = bytes.loadUnaligned(fromByteOffset: index * 8 + offset, as: Int32.self)
                return Double(Int32(littleEndian: raw)) * ShapeLines.unit
            }
            return Coordinate(latitude: number(0), longitude: number(4))
        }
    }
}

/// The shapes of a timetable.
struct ShapeTable {
    let feed: Feed

    /// The line of a shape; `nil` if the timetable does not have it.
    func line(_ shape: Int64?) throws -> [Coordinate]? {
        guard feed.layout.hasShapes, let shape else { return nil }
        return try feed.read { db in
            let rows = try RawStatement(db, "SELECT line FROM shapes WHERE shape = ?", isCached: true)
            rows.bind(1, shape)
            guard try rows.next(), let bytes = rows.bytes(0) else { return nil }
            return StoredLine.coordinates(bytes)
        }
    }

    /// The shapes of the trips of a route, or of all, with the number of trips of each.
    func of(route: Int64?) throws -> [ShapeObject] {
        guard feed.layout.hasShapes else { return [] }
        let found = try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT t.shape, p.rid, s.shape_id, count(*) FROM trips t JOIN patterns p ON p.pid = t.pid
                  JOIN shapes s ON s.shape = t.shape \(route == nil ? "" : "WHERE p.rid = ?")
                  GROUP BY t.shape, p.rid ORDER BY p.rid, t.shape
                """)
            if let route { rows.bind(1, route) }
            var found: [(shape: Int64, route: Int64, id: String, trips: Int)] = []
            while try rows.next() {
                found.append((rows.integer(0), rows.integer(1), rows.text(2) ?? "", Int(rows.integer(3))))
            }
            return found
        }
        return try found.compactMap { entry in
            guard let route = feed.routes[entry.route], let line = try line(entry.shape), line.count > 1
            else {
                return nil
            }
            return ShapeObject(id: entry.id, route: route, trips: entry.trips, line: line)
        }
    }

    /// The shapes of patterns that call at stops, up to a limit.
    func at(_ stops: [Int64], limit: Int) throws -> [ShapeObject] {
        guard feed.layout.hasShapes else { return [] }
        let found = try feed.read { db in
            let rows = try RawStatement(
                db,
                """
                SELECT DISTINCT t.shape, p.rid FROM pattern_stops c JOIN patterns p ON p.pid = c.pid
                  JOIN trips t ON t.pid = p.pid WHERE c.sid = ? AND t.shape IS NOT NULL
                """, isCached: true)
            var found: [(shape: Int64, route: Int64)] = []
            var seen: Set<Int64> = []
            for stop in stops {
                rows.reset()
                rows.bind(1, stop)
                while try rows.next() {
                    guard seen.insert(rows.integer(0)).inserted else { continue }
                    found.append((rows.integer(0), rows.integer(1)))
                    if found.count > limit { return found }
                }
            }
            return found.sorted { $0.shape < $1.shape }
        }
        guard found.count <= limit else { return [] }
        return try found.compactMap { entry in
            guard let route = feed.routes[entry.route], let line = try line(entry.shape), line.count > 1
            else {
                return nil
            }
            return ShapeObject(id: "", route: route, trips: 0, line: line)
        }
    }
}
