import GRDB
import PluginKit
import TrailStores

/// What the import of a timetable set aside of its trips, as notes say it; nothing in files of other programs and earlier versions.
struct SetAside: Sendable {
    /// The number of lines about calls that were not used, by stop.
    private let lines: [Int64: Int]
    /// The trips that were not kept, by their routes.
    private let trips: [Int64: Int]
    private let allTrips: Int
    /// The number of trips that lack calls.
    private let cutTrips: Int

    init(_ db: Database) throws {
        func count(_ table: String, _ sql: String) throws -> [(key: Int64?, count: Int)] {
            guard try db.tableExists(table) else { return [] }
            return try Row.fetchAll(db, sql: sql).map { row in
                let cells = TypedRow(row, of: table)
                return (try cells.allow("key"), try cells.allow("count") ?? 0)
            }
        }
        func numbers(_ found: [(key: Int64?, count: Int)]) -> [Int64: Int] {
            Dictionary(
                found.compactMap { entry in entry.key.map { ($0, entry.count) } }, uniquingKeysWith: max)
        }
        lines = numbers(try count("lost_calls", "SELECT sid AS key, lines AS count FROM lost_calls"))
        let lost = try count(
            "lost_trips", "SELECT rid AS key, count(*) AS count FROM lost_trips GROUP BY rid")
        trips = numbers(lost)
        allTrips = lost.reduce(0) { $0 + $1.count }
        cutTrips =
            try count("cut_trips", "SELECT NULL AS key, count(*) AS count FROM cut_trips").first?.count ?? 0
    }

    /// That lines about calls at some stops were not used.
    func note(at stops: [Int64]) -> String? {
        let count = stops.reduce(0) { $0 + (lines[$1] ?? 0) }
        return count > 0 ? "\(count, of: "line") of the feed about calls here \(Self.were(count))" : nil
    }

    /// That trips of a line were not kept.
    func note(ofRoute route: Int64) -> String? {
        guard let count = trips[route] else { return nil }
        return "\(count, of: "trip") of it \(Self.were(count))"
    }

    /// That trips of the timetable were not kept, or lack calls.
    var note: String? {
        var parts: [String] = []
        if allTrips > 0 { parts.append("\(allTrips, of: "trip") of the timetable") }
        if cutTrips > 0 {
            parts.append(
                "calls of \(cutTrips, of: parts.isEmpty ? "trip" : "other", plural: parts.isEmpty ? "trips" : "others")"
            )
        }
        guard !parts.isEmpty else { return nil }
        return parts.joined(separator: " and ") + " " + Self.were(cutTrips > 0 ? 2 : allTrips)
    }

    private static func were(_ count: Int) -> String {
        "\(count == 1 ? "was" : "were") set aside by the import, as its account says"
    }
}
