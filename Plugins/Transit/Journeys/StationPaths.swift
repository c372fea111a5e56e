import Geodesy
import HeapModule
import PluginKit
import TrailStores

/// The pathways within stations: walking times between platforms and to the entrances.
///
/// Pathways may form cycles; each node of a station is settled once.
struct StationPaths {
    private struct Edge {
        var to: Int64
        var seconds: Int32
    }

    private var outward: [Int64: [Edge]] = [:]
    private var inward: [Int64: [Edge]] = [:]
    /// The stations of the nodes that have pathways.
    private var stations: [Int64: String] = [:]
    /// The coordinates of entrances.
    private(set) var entrances: [Int64: Coordinate] = [:]

    /// Reads the pathways; for wheelchairs without stairs and escalators.
    init(_ feed: Feed, needsWheelchair: Bool) throws {
        guard feed.layout.hasPathways else { return }
        let rows = try feed.read { db in
            let rows = try RawStatement(
                db, "SELECT from_sid, to_sid, mode, seconds, bidirectional FROM pathways ORDER BY rowid")
            var found: [(from: Int64, to: Int64, mode: Int, seconds: Int32?, both: Bool)] = []
            while try rows.next() {
                found.append(
                    (
                        rows.integer(0), rows.integer(1), Int(rows.integer(2)),
                        rows.isNull(3) ? nil : Int32(ServiceDay.clamped(rows.integer(3))),
                        rows.integer(4) != 0
                    ))
            }
            return found
        }
        let places = Dictionary(
            try feed.stops.rows(Array(Set(rows.flatMap { [$0.from, $0.to] })).sorted()).map {
                ($0.number, $0)
            },
            uniquingKeysWith: { first, _ in first })
        for (number, place) in places {
            stations[number] = try Self.station(of: place, feed)
            if place.kind == .entrance {
                let access = needsWheelchair ? place.wheelchair ?? 0 : 0
                if access != 2 { entrances[number] = place.coordinate }
            }
        }
        for row in rows {
            guard let from = places[row.from], let to = places[row.to] else { continue }
            if needsWheelchair, PathwayMode(rawValue: row.mode)?.isLevel == false { continue }
            // A pathway without a time between nodes of which one has no known place takes an unknown time.
            let walk = from.metres(to: to).map { JourneySettings.seconds($0) }
            guard let seconds = row.seconds ?? walk else {
                continue
            }
            add(row.from, row.to, seconds)
            if row.both { add(row.to, row.from, seconds) }
        }
    }

    private mutating func add(_ from: Int64, _ to: Int64, _ seconds: Int32) {
        outward[from, default: []].append(Edge(to: to, seconds: seconds))
        inward[to, default: []].append(Edge(to: from, seconds: seconds))
    }

    /// The station of a platform, a boarding area or an entrance.
    private static func station(of place: StopRecord, _ feed: Feed) throws -> String {
        var place = place
        // A boarding area belongs to a platform, and that to a station.
        for _ in 0..<2 {
            guard let parent = try place.parent.flatMap(feed.stops.with(id:)) else { break }
            place = parent
        }
        return place.id
    }

    /// Whether pathways determine the way from one node to another: both are in the same station.
    func decides(_ from: Int64, _ to: Int64) -> Bool {
        guard let station = stations[from] else { return false }
        return stations[to] == station
    }

    /// Seconds from a node to all nodes that its pathways reach.
    func distances(from node: Int64) -> [Int64: Int32] { Self.distances(node, outward) }

    /// Seconds to a node from all nodes whose pathways reach it.
    func distances(to node: Int64) -> [Int64: Int32] { Self.distances(node, inward) }

    private struct Entry: Comparable {
        var seconds: Int32
        var node: Int64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.seconds, left.node) < (right.seconds, right.node)
        }
    }

    private static func distances(_ start: Int64, _ edges: [Int64: [Edge]]) -> [Int64: Int32] {
        guard edges[start] != nil else { return [:] }
        var settled: [Int64: Int32] = [:]
        var queue: Heap<Entry> = [Entry(seconds: 0, node: start)]
        while let next = queue.popMin() {
            guard settled[next.node] == nil else { continue }
            settled[next.node] = next.seconds
            for edge in edges[next.node] ?? [] where settled[edge.to] == nil {
                let (seconds, isTooLong) = next.seconds.addingReportingOverflow(edge.seconds)
                if !isTooLong { queue.insert(Entry(seconds: seconds, node: edge.to)) }
            }
        }
        return settled
    }
}
