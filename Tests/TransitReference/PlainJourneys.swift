import Foundation
import Geodesy

/// Journeys straight from a feed's text files: round by round through every run of every day, without lines, marks or bounds.
public struct PlainJourneys {
    /// A run of a trip with the moments of its calls.
    private struct Run {
        var stops: [Int]
        var arrivals: [Int]
        var departures: [Int]
        var boards: [Bool]
        var alights: [Bool]
    }

    private let timetable: PlainTimetable
    /// The stops with a coordinate.
    public let stops: [String]
    /// Where they are.
    public let places: [Coordinate]
    private var runs: [Run] = []
    /// Seconds from stop to stop for a change.
    private let walks: [[(stop: Int, seconds: Int)]]

    /// Reads a feed; `changeWalk` is the longest straight line in metres of a change, which takes `change` seconds and the walk.
    public init(
        _ tables: [String: String], day: Int, change: Int, changeWalk: Double, walk: (Double) -> Int
    ) {
        timetable = PlainTimetable(tables)
        // A boarding area without a coordinate has that of its platform.
        let rows = PlainTables.rows(tables["stops.txt"])
        var known: [String: Coordinate] = [:]
        for row in rows {
            guard let latitude = Double(row["stop_lat"] ?? ""), let longitude = Double(row["stop_lon"] ?? "")
            else {
                continue
            }
            known[row["stop_id"] ?? ""] = Coordinate(latitude: latitude, longitude: longitude)
        }
        var found: [(String, Coordinate)] = []
        for row in rows {
            let id = row["stop_id"] ?? ""
            if let place = known[id] ?? known[row["parent_station"] ?? ""] { found.append((id, place)) }
        }
        stops = found.map(\.0)
        places = found.map(\.1)
        let places = places
        let called = Set(timetable.trips.flatMap { $0.calls.map(\.stop) })
        let isCalled = stops.map(called.contains)
        walks = places.indices.map { from in
            places.indices.compactMap { to in
                guard isCalled[from], isCalled[to] else { return nil }
                if from == to { return (to, change) }
                let metres = places[from].distance(to: places[to])
                return metres <= changeWalk ? (to, change + walk(metres)) : nil
            }
        }
        let index = Dictionary(stops.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for shift in -2...2 {
            let day = timetable.day(day, plus: shift)
            let reference = timetable.moment(day, 12, 0) - 43_200
            for trip in timetable.trips where timetable.runs(trip.service, on: day) {
                let first = trip.calls[0].departure ?? 0
                for start in trip.starts {
                    let base = reference + start - first
                    runs.append(
                        Run(
                            stops: trip.calls.map { index[$0.stop] ?? 0 },
                            arrivals: trip.calls.map { base + ($0.arrival ?? 0) },
                            departures: trip.calls.map { base + ($0.departure ?? 0) },
                            boards: trip.calls.map { $0.pickup != "1" },
                            alights: trip.calls.map { $0.dropOff != "1" }))
                }
            }
        }
    }

    /// A moment by what clocks show.
    public func moment(_ day: Int, _ hour: Int, _ minute: Int) -> Int { timetable.moment(day, hour, minute) }

    /// The stops within some metres of a place at which something calls.
    public func near(_ place: Coordinate, _ metres: Double, _ walk: (Double) -> Int) -> [(
        stop: Int, seconds: Int
    )] {
        places.indices.compactMap { stop in
            let distance = place.distance(to: places[stop])
            return distance <= metres && !walks[stop].isEmpty ? (stop, walk(distance)) : nil
        }
    }

    private static let never = Int.max / 4

    /// The earliest arrival with at most 1, 2, … rides; `nil` if there is none.
    public func arrivals(
        from origins: [(stop: Int, seconds: Int)], to targets: [(stop: Int, seconds: Int)], at time: Int,
        rides: Int
    ) -> [Int?] {
        var ready = [Int](repeating: Self.never, count: stops.count)
        for origin in origins { ready[origin.stop] = min(ready[origin.stop], time + origin.seconds) }
        var best = Self.never
        return (0..<rides).map { _ in
            var arrived = [Int](repeating: Self.never, count: stops.count)
            for run in runs {
                var isAboard = false
                for (call, stop) in run.stops.enumerated() {
                    if isAboard, run.alights[call] { arrived[stop] = min(arrived[stop], run.arrivals[call]) }
                    if run.boards[call], ready[stop] <= run.departures[call] { isAboard = true }
                }
            }
            ready = [Int](repeating: Self.never, count: stops.count)
            for stop in arrived.indices where arrived[stop] < Self.never {
                for walk in walks[stop] {
                    ready[walk.stop] = min(ready[walk.stop], arrived[stop] + walk.seconds)
                }
            }
            for target in targets where arrived[target.stop] < Self.never {
                best = min(best, arrived[target.stop] + target.seconds)
            }
            return best < Self.never ? best : nil
        }
    }

    /// The latest departure with at most 1, 2, … rides to arrive by a moment; `nil` if there is none.
    public func departures(
        from origins: [(stop: Int, seconds: Int)], to targets: [(stop: Int, seconds: Int)], by time: Int,
        rides: Int
    ) -> [Int?] {
        // The latest moment at which one may get off at a stop.
        var due = [Int](repeating: -Self.never, count: stops.count)
        for target in targets { due[target.stop] = max(due[target.stop], time - target.seconds) }
        var best = -Self.never
        return (0..<rides).map { _ in
            var leaves = [Int](repeating: -Self.never, count: stops.count)
            for run in runs {
                var isUseful = false
                for call in run.stops.indices.reversed() {
                    let stop = run.stops[call]
                    if isUseful, run.boards[call] { leaves[stop] = max(leaves[stop], run.departures[call]) }
                    if run.alights[call], run.arrivals[call] <= due[stop] { isUseful = true }
                }
            }
            due = [Int](repeating: -Self.never, count: stops.count)
            for from in walks.indices {
                for walk in walks[from] where leaves[walk.stop] > -Self.never {
                    due[from] = max(due[from], leaves[walk.stop] - walk.seconds)
                }
            }
            for origin in origins where leaves[origin.stop] > -Self.never {
                best = max(best, leaves[origin.stop] - origin.seconds)
            }
            return best > -Self.never ? best : nil
        }
    }
}
