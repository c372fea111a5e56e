import Foundation
import Geodesy

/// Journeys directly from a feed's text files: round by round over all runs of all days, without lines,
/// marks or bounds.
public struct PlainJourneys {
    /// A run of a trip with the times of its calls.
    private struct Run {
        var stops: [Int]
        var arrivals: [Int]
        var departures: [Int]
        var boards: [Bool]
        var alights: [Bool]
        /// When it leaves its first stop and reaches its last one by the schedule.
        var scheduled = 0
        var scheduledEnd = 0
        var isUsable = true

        /// Whether its last call is from a message.
        var hasNewsOfEnd = false

        /// A vehicle is not at a stop before it was at the previous one, nor after it left the next one that a
        /// message names; without data its last delay continues. The entries of the message are departures: of the arrivals they
        /// say nothing, so an arrival bounds no other time.
        mutating func settle(_ sequences: [Int], _ update: Update) {
            let named = Set(update.delays.filter { $0.seconds != nil }.map(\.sequence))
            let planned = arrivals
            let plan = sequences.indices.map { call in
                let late = update.delays.last { $0.sequence <= sequences[call] }?.seconds ?? 0
                return (arrival: arrivals[call] - late, departure: departures[call] - late)
            }
            let served = sequences.indices.filter { sequences[$0] != update.skipped }
            var last = Int.min
            for call in served where named.contains(sequences[call]) {
                departures[call] = max(last, departures[call])
                last = departures[call]
            }
            var before = Int.min
            var leaves: Int?
            for call in served {
                // Nobody makes the way in less than half of its planned time.
                let way = leaves.map { plan[call].arrival - $0 } ?? 0
                leaves = plan[call].departure
                defer { before = departures[call] }
                if named.contains(sequences[call]) {
                    arrivals[call] = min(max(before, arrivals[call]), departures[call])
                    continue
                }
                let entries = update.delays.filter { $0.sequence <= sequences[call] }
                let isUnknown = entries.isEmpty || entries[entries.count - 1].seconds == nil
                if isUnknown, before > Int.min, arrivals[call] < before + max(0, way) / 2 {
                    let late = max(0, entries.last { $0.seconds != nil }?.seconds ?? 0)
                    arrivals[call] += late
                    departures[call] += late
                }
                let next = served.first { $0 > call && named.contains(sequences[$0]) }
                let latest = next.map { departures[$0] } ?? .max
                arrivals[call] = min(max(before, arrivals[call]), latest)
                departures[call] = min(max(arrivals[call], departures[call]), latest)
            }
            for call in sequences.indices where sequences[call] == update.skipped {
                let time = call > 0 ? departures[call - 1] : arrivals[call]
                (arrivals[call], departures[call]) = (time, time)
            }
            guard let end = served.last else { return }
            let entry = update.delays.last { $0.sequence <= sequences[end] }
            hasNewsOfEnd = entry?.seconds != nil || arrivals[end] != planned[end]
        }

        /// The next trip of a late vehicle of which a message has no news.
        mutating func carry(from before: Run) {
            guard before.hasNewsOfEnd, let end = before.ends else { return }
            let late = end - departures[0]
            guard late > 0 else { return }
            arrivals = arrivals.map { $0 + late }
            departures = departures.map { $0 + late }
            hasNewsOfEnd = true
        }

        /// When it reaches the last stop that it serves.
        var ends: Int? {
            arrivals.indices.last { $0 != skippedCall }.map { arrivals[$0] }
        }
        var skippedCall: Int?
        /// Whether a message is about it.
        var isNamed = false
        var id = ""

        /// The next trip of the vehicle, for riders who stay seated; `nil` if it leaves more than a minute before this one arrives.
        /// The specification has producers give updates of the vehicle's next trips for “advance notice of delays that impact
        /// downstream trips”: their times hold the delay already, and are not made later by it once more. Within the minute the later
        /// time counts, as among the calls of one trip.
        func followed(by next: Run) -> Run? {
            guard let end = arrivals.last, let begin = next.departures.first, end <= begin + 60 else {
                return nil
            }
            var run = self
            run.boards[run.boards.count - 1] = false
            run.stops += next.stops
            run.arrivals += next.arrivals.map { max(end, $0) }
            run.departures += next.departures.map { max(end, $0) }
            // Riders who board there use the next trip with its own times.
            run.boards += next.boards.map { _ in false }
            run.alights += [false] + next.alights.dropFirst()
            return run
        }
    }

    private let timetable: PlainTimetable
    /// The stops with a coordinate.
    public let stops: [String]
    /// Their coordinates.
    public let places: [Coordinate]
    private var runs: [Run] = []
    /// Seconds from stop to stop for a change.
    private let walks: [[(stop: Int, seconds: Int)]]
    private let ways: PlainWays

    /// The realtime data of a run.
    public struct Update {
        /// `trip_id`
        public var trip: String
        /// `YYYYMMDD`
        public var day: Int
        /// Delays in seconds from a `stop_sequence` on, until the next entry; `nil` seconds mean no data.
        public var delays: [(sequence: Int, seconds: Int?)] = []
        /// Whether the trip is cancelled.
        public var isCancelled = false
        /// The skipped `stop_sequence`s.
        public var skipped: Int?

        /// No data about a trip of a day.
        public init(trip: String, day: Int) { (self.trip, self.day) = (trip, day) }
    }

    /// Reads a feed; `changeWalk` is the longest straight line in metres of a change, which takes `change` seconds and the walk.
    public init(
        _ tables: [String: String], day: Int, change: Int, changeWalk: Double, walk: (Double) -> Int,
        needsWheelchair: Bool = false, updates: [Update] = [], live: PlainRuns? = nil
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
        // Messages send trips to any platform, also to one at which no trip of the timetable calls.
        let called = Set(
            rows.filter { ["", "0", "4"].contains($0["location_type"] ?? "") }.map { $0["stop_id"] ?? "" })
        let isCalled = stops.map(called.contains)
        let ways = PlainWays(
            tables, stops: stops, places: places, isCalled: isCalled, walk: walk,
            needsWheelchair: needsWheelchair)
        self.ways = ways
        walks = ways.changes(change: change, most: changeWalk, walk: walk, tables)
        let closed = Set(stops.indices.filter { needsWheelchair && ways.isClosed($0) })
        let wheelchairs = Dictionary(
            PlainTables.rows(tables["trips.txt"]).map {
                ($0["trip_id"] ?? "", $0["wheelchair_accessible"] ?? "")
            },
            uniquingKeysWith: { first, _ in first })
        let index = Dictionary(stops.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let blocks = Dictionary(
            PlainTables.rows(tables["trips.txt"]).compactMap { row in
                (row["block_id"] ?? "").isEmpty ? nil : (row["trip_id"] ?? "", row["block_id"] ?? "")
            }, uniquingKeysWith: { first, _ in first })
        if let live {
            runs = live.rides().compactMap { trips in
                let parts = trips.map { run in
                    let calls = run.served.map { run.calls[$0] }.filter { called.contains($0.stop) }
                    return Run(
                        stops: calls.map { index[$0.stop] ?? 0 }, arrivals: calls.map(\.expectedArrival),
                        departures: calls.map(\.expectedDeparture), boards: calls.map { $0.pickup != "1" },
                        alights: calls.map { $0.dropOff != "1" })
                }
                guard var joined = parts.first else { return nil }
                for part in parts.dropFirst() {
                    // Riders of the trips before are those of other sequences.
                    joined.alights = joined.alights.map { _ in false }
                    guard let further = joined.followed(by: part) else { return nil }
                    joined = further
                }
                return joined
            }
            return
        }
        for shift in -2...2 {
            let day = timetable.day(day, plus: shift)
            let reference = timetable.moment(day, 12, 0) - 43_200
            var made: [(block: String, run: Run)] = []
            for trip in timetable.trips where timetable.runs(trip.service, on: day) {
                // An update whose times run backwards by more than a minute is not used.
                let update = updates.first { update in
                    guard update.trip == trip.id, update.day == day else { return false }
                    let times = update.delays.compactMap { entry in
                        entry.seconds.flatMap { seconds in
                            trip.calls.first { $0.sequence == entry.sequence }
                                .map { ($0.departure ?? 0) + seconds }
                        }
                    }
                    return update.isCancelled || zip(times, times.dropFirst()).allSatisfy { $1 >= $0 - 60 }
                }
                // A cancelled or unusable trip of a vehicle cannot be used to stay seated either.
                let isUsable =
                    update?.isCancelled != true && (!needsWheelchair || wheelchairs[trip.id] == "1")
                func late(_ call: PlainTimetable.Call) -> Int {
                    update?.delays.last { call.sequence >= $0.sequence }?.seconds ?? 0
                }
                func isOpen(_ call: PlainTimetable.Call) -> Bool {
                    !closed.contains(index[call.stop] ?? -1) && update?.skipped != call.sequence
                }
                let first = trip.calls[0].departure ?? 0
                for start in trip.starts {
                    let base = reference + start - first
                    var run = Run(
                        stops: trip.calls.map { index[$0.stop] ?? 0 },
                        arrivals: trip.calls.map { base + ($0.arrival ?? 0) + late($0) },
                        departures: trip.calls.map { base + ($0.departure ?? 0) + late($0) },
                        boards: trip.calls.map { $0.pickup != "1" && isOpen($0) },
                        alights: trip.calls.map { $0.dropOff != "1" && isOpen($0) },
                        scheduled: base + first, scheduledEnd: base + (trip.calls.last?.arrival ?? 0))
                    run.id = trip.id
                    run.isNamed = update != nil
                    run.skippedCall = trip.calls.firstIndex { $0.sequence == update?.skipped }
                    if let update { run.settle(trip.calls.map(\.sequence), update) }
                    if update?.isCancelled == true { run.hasNewsOfEnd = false }
                    run.isUsable = isUsable
                    made.append((blocks[trip.id] ?? "", run))
                }
            }
            carryDelays(&made)
            runs += made.map(\.run).filter(\.isUsable)
            addBlocks(made)
        }
    }

    /// The delays of vehicles carry over to their next trips.
    private func carryDelays(_ made: inout [(block: String, run: Run)]) {
        for block in Set(made.map(\.block)).sorted() where !block.isEmpty {
            let order = made.indices.filter { made[$0].block == block }.sorted {
                (made[$0].run.scheduled, made[$0].run.id) < (made[$1].run.scheduled, made[$1].run.id)
            }
            for (before, next) in zip(order, order.dropFirst())
            where !made[next].run.isNamed && made[before].run.scheduled < made[next].run.scheduled {
                made[next].run.carry(from: made[before].run)
            }
        }
    }

    /// Adds the runs of vehicles that make several trips of a block, each starting where and not before the
    /// last one ends.
    private mutating func addBlocks(_ made: [(block: String, run: Run)]) {
        for (block, group) in Dictionary(grouping: made, by: \.block) where !block.isEmpty {
            let runs = group.map(\.run).sorted { ($0.scheduled, $0.id) < ($1.scheduled, $1.id) }
            for first in runs.indices {
                var joined = runs[first]
                guard joined.isUsable else { continue }
                for next in runs.indices.dropFirst(first + 1) {
                    let (before, after) = (runs[next - 1], runs[next])
                    // “The vehicle will not stop” at a skipped call: there is no stop at which the trips meet.
                    guard after.isUsable, before.stops.last == after.stops.first,
                        before.skippedCall != before.stops.count - 1, after.skippedCall != 0,
                        before.scheduled < after.scheduled,
                        before.scheduledEnd <= after.scheduled, let further = joined.followed(by: after)
                    else { break }
                    joined = further
                    self.runs.append(joined)
                }
            }
        }
    }

    /// An instant by local time.
    public func moment(_ day: Int, _ hour: Int, _ minute: Int) -> Int { timetable.moment(day, hour, minute) }

    /// The served stops within some metres of a place: of the start of a journey or of its end.
    public func near(_ coordinate: Coordinate, _ metres: Double, isStart: Bool, _ walk: (Double) -> Int) -> [(
        stop: Int, seconds: Int
    )] {
        places.indices.compactMap { stop in
            let found = ways.doors(of: stop, isInward: isStart).compactMap { door -> Int? in
                let distance = coordinate.distance(to: door.coordinate)
                return distance <= metres ? walk(distance) + door.seconds : nil
            }
            return ways.isCalled[stop] ? found.min().map { (stop, $0) } : nil
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

    /// The latest departure with at most 1, 2, … rides to arrive by a time; `nil` if there is none.
    public func departures(
        from origins: [(stop: Int, seconds: Int)], to targets: [(stop: Int, seconds: Int)], by time: Int,
        rides: Int
    ) -> [Int?] {
        // The latest time to alight at a stop.
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
