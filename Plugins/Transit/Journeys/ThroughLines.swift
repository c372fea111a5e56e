import CivilTime
import PluginKit
import TrailStores

/// Lines for vehicles that run consecutive trips between which riders may stay seated (in-seat transfers).
extension JourneyNetwork {
    private struct LineTrip {
        var line: Int
        var trip: Trip
    }

    /// The next trip of a vehicle.
    private struct Next {
        var row: Int64
        /// Services of other trips of the block in between: on their days this is not the next trip.
        var excluded: [Int32] = []
    }

    /// Patterns and starts of a vehicle's trips, relative to the first.
    private struct Shape: Hashable {
        var lines: [Int]
        var starts: [Int32]
    }

    /// Adds a line for each sequence of trips of a vehicle. Riders board in the first of its trips and
    /// alight in the last, so a cancelled trip removes only the sequences that contain it.
    mutating func addThroughLines(_ feed: Feed) throws {
        guard feed.layout.hasBlocks || feed.layout.hasTripTransfers else { return }
        var lineTrips: [Int64: LineTrip] = [:]
        for (line, content) in lines.enumerated() {
            for trip in content.trips where !trip.isFrequency {
                lineTrips[trip.row] = LineTrip(line: line, trip: trip)
            }
        }
        let next = try followers(feed, lineTrips)
        guard !next.isEmpty else { return }
        var shapes: [Shape: Int] = [:]
        for first in next.keys.sorted() {
            try Interruption.check()
            guard let trip = lineTrips[first] else { continue }
            extend([(trip, [])], next, lineTrips, &shapes)
        }
    }

    /// Adds the sequences of trips that begin with some.
    private mutating func extend(
        _ chain: [(trip: LineTrip, excluded: [Int32])], _ next: [Int64: [Next]],
        _ lineTrips: [Int64: LineTrip], _ shapes: inout [Shape: Int]
    ) {
        guard chain.count < JourneySettings.seatedTrips, let last = chain.last else { return }
        for follower in next[last.trip.trip.row] ?? [] {
            guard let trip = lineTrips[follower.row] else { continue }
            let longer = chain + [(trip, follower.excluded)]
            add(longer, &shapes)
            extend(longer, next, lineTrips, &shapes)
        }
    }

    /// For each trip, the next trips of its vehicle: which one it is depends on the services of the day.
    private func followers(_ feed: Feed, _ lineTrips: [Int64: LineTrip]) throws -> [Int64: [Next]] {
        let (blocks, rules) = try feed.read { db in
            var blocks: [Int64: String] = [:]
            if feed.layout.hasBlocks {
                let rows = try RawStatement(
                    db, "SELECT rowid, block_id FROM \(feed.layout.trips) WHERE block_id IS NOT NULL")
                while try rows.next() { blocks[rows.integer(0)] = rows.text(1) ?? "" }
            }
            var rules: [(from: Int64, to: Int64, mayStay: Bool)] = []
            if feed.layout.hasTripTransfers {
                let rows = try RawStatement(
                    db,
                    """
                    SELECT a.rowid, b.rowid, x.transfer_type FROM trip_transfers x
                      JOIN \(feed.layout.trips) a ON a.trip_id = x.from_trip
                      JOIN \(feed.layout.trips) b ON b.trip_id = x.to_trip ORDER BY x.rowid
                    """)
                while try rows.next() {
                    rules.append((rows.integer(0), rows.integer(1), rows.integer(2) == 4))
                }
            }
            return (blocks, rules)
        }
        var next: [Int64: [Next]] = [:]
        func isLater(_ from: LineTrip, _ to: LineTrip) -> Bool {
            from.trip.start + (lines[from.line].arrivals.last ?? 0) <= to.trip.start
                && from.trip.start < to.trip.start
                && feed.zone(ofRoute: lines[from.line].route) == feed.zone(ofRoute: lines[to.line].route)
        }
        for rule in rules where rule.mayStay {
            if let from = lineTrips[rule.from], let to = lineTrips[rule.to], isLater(from, to) {
                // A train that is divided goes on as several trips; other rules are about other days.
                next[rule.from, default: []].append(Next(row: rule.to))
            }
        }
        let forbidden = Set(rules.filter { !$0.mayStay }.map { [$0.from, $0.to] })
        var vehicles: [String: [LineTrip]] = [:]
        for (row, block) in blocks where !block.isEmpty {
            guard let lineTrip = lineTrips[row] else { continue }
            vehicles[block, default: []].append(lineTrip)
        }
        func number(_ stop: Int32?) -> Int64? { stop.map { numbers[Int($0)] } }
        let stated = Set(next.keys)
        var meetings = ServiceMeetings(feed)
        for trips in vehicles.values {
            let sorted = trips.sorted { ($0.trip.start, $0.trip.row) < ($1.trip.start, $1.trip.row) }
            for (index, from) in sorted.enumerated() where !stated.contains(from.trip.row) {
                var between: [Int32] = []
                for to in sorted[(index + 1)...] {
                    guard meetings.meet(from.trip.service, to.trip.service) else { continue }
                    if !between.contains(to.trip.service), isLater(from, to),
                        number(lines[from.line].stops.last) == number(lines[to.line].stops.first),
                        !forbidden.contains([from.trip.row, to.trip.row])
                    {
                        next[from.trip.row, default: []].append(Next(row: to.trip.row, excluded: between))
                    }
                    if !between.contains(to.trip.service) { between.append(to.trip.service) }
                    // On every day of this trip that one runs too.
                    if to.trip.service == from.trip.service { break }
                }
            }
        }
        return next
    }

    /// Adds consecutive trips to the line with their sequence of patterns.
    private mutating func add(
        _ sequence: [(trip: LineTrip, excluded: [Int32])], _ shapes: inout [Shape: Int]
    ) {
        let chain = sequence.map(\.trip)
        guard let first = chain.first, chain.count > 1 else { return }
        let shape = Shape(lines: chain.map(\.line), starts: chain.map { $0.trip.start - first.trip.start })
        var trip = first.trip
        trip.chainedTrips = sequence.map {
            ChainedTrip(
                row: $0.trip.trip.row, start: $0.trip.trip.start, service: $0.trip.trip.service,
                excluded: $0.excluded)
        }
        let access = chain.map(\.trip.wheelchair)
        trip.wheelchair = access.allSatisfy { $0 == 1 } ? 1 : access.contains(2) ? 2 : 0
        if let known = shapes[shape] {
            lines[known].trips.append(trip)
            return
        }
        var made = Line(pattern: lines[first.line].pattern, route: lines[first.line].route)
        for (number, lineTrip) in chain.enumerated() {
            let part = lines[lineTrip.line]
            let delay = shape.starts[number]
            let begin = made.stops.count
            made.parts.append(
                Part(pattern: part.pattern, route: part.route, calls: begin..<begin + part.stops.count))
            made.stops += part.stops
            made.arrivals += part.arrivals.map { $0 + delay }
            made.departures += part.departures.map { $0 + delay }
            made.sequences += part.sequences
            let (isFirst, isLast) = (number == 0, number == chain.count - 1)
            for call in part.stops.indices {
                made.boards.append(isFirst && call < part.stops.count - 1 && part.boards[call])
                made.alights.append(isLast && call > 0 && part.alights[call])
            }
        }
        made.trips = [trip]
        shapes[shape] = lines.count
        lines.append(made)
    }
}

/// Whether two services ever run on the same day.
struct ServiceMeetings {
    private let feed: Feed
    private var known: [Int64: Bool] = [:]
    private var days: [Int32: Set<Int>] = [:]

    init(_ feed: Feed) { self.feed = feed }

    mutating func meet(_ left: Int32, _ right: Int32) -> Bool {
        if left == right { return true }
        let key = Int64(min(left, right)) << 32 | Int64(max(left, right))
        if let found = known[key] { return found }
        let made = !days(of: left).isDisjoint(with: days(of: right))
        known[key] = made
        return made
    }

    private mutating func days(of service: Int32) -> Set<Int> {
        if let found = days[service] { return found }
        var made: Set<Int> = []
        if let span = feed.calendar.span {
            for day in span.lowerBound.daysSinceEpoch...span.upperBound.daysSinceEpoch
            where feed.services(on: CivilDate(daysSinceEpoch: day)).runs[Int(service)] { made.insert(day) }
        }
        days[service] = made
        return made
    }
}
