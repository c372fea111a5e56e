import PluginKit

/// Searches journeys that are best in arrival and number of changes: RAPTOR (Delling, Pajor and Werneck, *Round-Based Public
/// Transit Routing*, 2012). Round k finds the earliest arrivals with k rides; each round rides the lines at the stops that the
/// round before reached, and then walks once.
///
/// Between two rides there is one walk, or the change at a stop; walks are not joined. So what a ride reached is kept apart from
/// what was walked to. Labels may be kept for a search that begins earlier (rRAPTOR): what a later start reached as early is no
/// improvement then.
struct Raptor {
    /// A stop at the beginning or the end, with the seconds of the walk.
    typealias Access = (stop: Int, seconds: Int)

    /// A ride of a journey found.
    struct Ride: Hashable {
        var line: Int
        var run: Int
        var from: Int
        var to: Int
    }

    /// A journey found: rides in the order of search, backwards if the days are.
    struct Found: Hashable {
        /// When it begins at the origin at the earliest, and when it ends.
        var start: Int
        var end: Int
        var rides: [Ride]
    }

    private struct RideParent {
        var line: Int32 = -1
        var run: Int32 = 0
        var from: Int32 = 0
        var to: Int32 = 0
    }

    private let days: JourneyDays
    private let stops: Int
    private let rounds: Int
    private let targets: [Int: Int]
    /// By round and stop: the earliest arrival of a ride, and the earliest time to board the next.
    private var arrived: [Int]
    private var ready: [Int]
    private var rideParents: [RideParent]
    private var walkParents: [Int32]
    /// The earliest arrival at the target in each round.
    private var best: [Int]
    /// The ride of which round improved a stop last, counted over all searches.
    private var stamps: [Int]
    private var stamp = 0

    static let never = Int.max / 4

    init(_ days: JourneyDays, to targets: [Access], changes: Int, direct: Int?) {
        self.days = days
        stops = days.linesAt.count
        rounds = changes + 1
        self.targets = Dictionary(targets.map { ($0.stop, $0.seconds) }, uniquingKeysWith: min)
        let count = (rounds + 1) * stops
        arrived = Array(repeating: Self.never, count: count)
        ready = arrived
        rideParents = Array(repeating: RideParent(), count: count)
        walkParents = Array(repeating: -1, count: count)
        best = Array(repeating: Self.never, count: rounds + 1)
        stamps = Array(repeating: 0, count: stops)
        self.direct = direct
    }

    /// Seconds of the walk from origin to target, if it is short enough.
    private let direct: Int?

    /// The earliest value up to a round.
    private func least(_ labels: [Int], _ round: Int, _ stop: Int) -> Int {
        var least = labels[stop]
        for earlier in 1...max(1, round) where earlier <= round {
            least = min(least, labels[earlier * stops + stop])
        }
        return least
    }

    private func bestArrival(_ round: Int) -> Int { best[0...round].min() ?? Self.never }

    /// Searches from a moment on; returns the journeys that are better than all found before, by their rides.
    mutating func search(
        from origins: [Access], at start: Int, into trace: inout some TraceRecorder, _ names: JourneyNames
    ) throws -> [Found] {
        var found: [Found] = []
        if let direct, start + direct < best[0] {
            best[0] = start + direct
            found.append(Found(start: start, end: start + direct, rides: []))
        }
        var marked: Set<Int> = []
        for origin in origins {
            let time = start + origin.seconds
            guard time < ready[origin.stop] else { continue }
            ready[origin.stop] = time
            marked.insert(origin.stop)
        }
        for round in 1...rounds where !marked.isEmpty {
            try Interruption.check()
            let before = marked.count
            let queue = lines(at: marked)
            trace.record(names.round(round, stops: before, lines: queue.count))
            let (reached, target) = ride(queue, round, &trace, names)
            marked = walk(from: reached, round, &trace, names)
            if let target {
                let end = best[round]
                found.append(Found(start: start, end: end, rides: rides(to: target, round)))
                trace.record(names.arrival(round, end))
            }
        }
        return found
    }

    /// The lines at some stops, each from the first of them on.
    private func lines(at marked: Set<Int>) -> [(line: Int, position: Int)] {
        var first: [Int32: Int32] = [:]
        for stop in marked {
            for call in days.linesAt[stop] { first[call.line] = min(first[call.line] ?? .max, call.position) }
        }
        return first.map { (line: Int($0.key), position: Int($0.value)) }.sorted { $0.line < $1.line }
    }

    /// Rides lines as far as they improve anything; returns the stops improved, and the last one before the target if that is.
    private mutating func ride(
        _ queue: [(line: Int, position: Int)], _ round: Int, _ trace: inout some TraceRecorder,
        _ names: JourneyNames
    ) -> (reached: [Int], target: Int?) {
        var reached: [Int] = []
        var target: Int?
        var limit = bestArrival(round)
        stamp += 1
        for (number, first) in queue {
            let line = days.lines[number]
            var run = -1
            var boarded = 0
            for position in first..<line.stops.count {
                let stop = Int(line.stops[position])
                if run >= 0, line.alights[position] {
                    let time = line.starts[run] + line.arrivals[position]
                    if time < limit, time < least(arrived, round, stop) {
                        let label = round * stops + stop
                        if stamps[stop] != stamp {
                            stamps[stop] = stamp
                            reached.append(stop)
                        }
                        arrived[label] = time
                        rideParents[label] = RideParent(
                            line: Int32(number), run: Int32(run), from: Int32(boarded), to: Int32(position))
                        trace.record(names.label(round, stop, time, line, boarded))
                        if let egress = targets[stop] {
                            if time + egress < limit {
                                limit = time + egress
                                best[round] = limit
                                target = stop
                            } else {
                                trace.record(names.dominated(round, stop, time + egress, limit))
                            }
                        }
                    }
                }
                let time = ready[(round - 1) * stops + stop]
                guard line.boards[position], time < Self.never else { continue }
                if run >= 0, time > line.starts[run] + line.departures[position] { continue }
                let next = Self.first(in: line.starts, from: time - line.departures[position])
                if next < line.starts.count, run < 0 || next < run {
                    run = next
                    boarded = position
                }
            }
        }
        return (reached, target)
    }

    /// The index of the first start not before a time.
    private static func first(in starts: [Int], from time: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func walk(
        from reached: [Int], _ round: Int, _ trace: inout some TraceRecorder, _ names: JourneyNames
    ) -> Set<Int> {
        var marked: Set<Int> = []
        for stop in reached {
            let time = arrived[round * stops + stop]
            for walk in days.walks[stop] {
                let there = Int(walk.stop)
                let then = time + Int(walk.seconds)
                guard then < least(ready, round, there) else { continue }
                ready[round * stops + there] = then
                walkParents[round * stops + there] = Int32(stop)
                marked.insert(there)
                if there != stop { trace.record(names.walk(round, stop, there, then)) }
            }
        }
        return marked
    }

    /// The rides that end at a stop in a round.
    private func rides(to stop: Int, _ round: Int) -> [Ride] {
        var rides: [Ride] = []
        var (stop, round) = (stop, round)
        while round > 0 {
            let parent = rideParents[round * stops + stop]
            guard parent.line >= 0 else { break }
            rides.append(
                Ride(line: Int(parent.line), run: Int(parent.run), from: Int(parent.from), to: Int(parent.to))
            )
            round -= 1
            let boarded = Int(days.lines[Int(parent.line)].stops[Int(parent.from)])
            if round > 0 { stop = Int(walkParents[round * stops + boarded]) }
        }
        return rides.reversed()
    }
}
