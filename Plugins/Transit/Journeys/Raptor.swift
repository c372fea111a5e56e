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

    fileprivate struct RideParent {
        var line: Int32 = -1
        var run: Int32 = 0
        var from: Int32 = 0
        var to: Int32 = 0
    }

    private let days: JourneyDays
    private let rounds: Int
    /// Labels of a stop stand beside each other, one for each round.
    private let stride: Int
    /// Seconds from each stop to the target.
    private let egress: [Int: Int]
    /// By stop and round: the earliest arrival of a ride, and the earliest time to board the next.
    private var arrived: [Int]
    private var ready: [Int]
    private var rideParents: [RideParent]
    private var walkParents: [Int32]
    /// Stops that have labels, some of them repeatedly.
    private var touched: [Int32] = []
    /// The earliest arrival at the target in each round.
    private var best: [Int]
    /// The step that marked a stop last, counted over all searches.
    private var stamps: [Int32]
    private var stamp: Int32
    /// The first position to ride each line from; `Int32.max` for lines that are not in the queue.
    private var positions: [Int32]

    /// The memory of a search. The next one uses it again: to make it anew would take as long as many a search.
    struct Memory: Sendable {
        fileprivate var arrived: [Int] = []
        fileprivate var ready: [Int] = []
        fileprivate var rideParents: [RideParent] = []
        fileprivate var walkParents: [Int32] = []
        fileprivate var stamps: [Int32] = []
        fileprivate var stamp: Int32 = 0
        fileprivate var positions: [Int32] = []

        fileprivate func fits(_ labels: Int, stops: Int, lines: Int) -> Bool {
            arrived.count >= labels && stamps.count >= stops && positions.count >= lines
                && stamp < Int32.max / 2
        }
    }

    static let never = Int.max / 4

    /// A search in some days; only what ends before `bound` is found.
    init(
        _ days: JourneyDays, to targets: [Access], changes: Int, direct: Int?, bound: Int? = nil,
        memory: inout Memory
    ) {
        self.days = days
        self.direct = direct
        rounds = changes + 1
        stride = rounds + 1
        let stops = days.walks.count
        egress = Dictionary(targets.map { ($0.stop, $0.seconds) }, uniquingKeysWith: min)
        best = Array(repeating: Self.never, count: stride)
        best[0] = bound ?? Self.never
        let labels = stride * stops
        if memory.fits(labels, stops: stops, lines: days.lines.count) {
            // Swapped, so that nobody else holds the lists: else they would be copied.
            (arrived, ready, rideParents, walkParents, stamps, positions) = ([], [], [], [], [], [])
            stamp = memory.stamp
            exchange(&memory)
        } else {
            arrived = Array(repeating: Self.never, count: labels)
            ready = Array(repeating: Self.never, count: labels)
            rideParents = Array(repeating: RideParent(), count: labels)
            walkParents = Array(repeating: -1, count: labels)
            (stamps, stamp) = (Array(repeating: 0, count: stops), 0)
            positions = Array(repeating: .max, count: days.lines.count)
        }
    }

    /// Ends the searches: gives their memory back, without labels.
    mutating func release(to memory: inout Memory) {
        for stop in touched {
            for label in Int(stop) * stride..<(Int(stop) + 1) * stride {
                arrived[label] = Self.never
                ready[label] = Self.never
            }
        }
        touched = []
        memory.stamp = stamp
        exchange(&memory)
    }

    private mutating func exchange(_ memory: inout Memory) {
        swap(&arrived, &memory.arrived)
        swap(&ready, &memory.ready)
        swap(&rideParents, &memory.rideParents)
        swap(&walkParents, &memory.walkParents)
        swap(&stamps, &memory.stamps)
        swap(&positions, &memory.positions)
    }

    /// Seconds of the walk from origin to target, if it is short enough.
    private let direct: Int?

    /// Whether a time is earlier than all labels of a stop up to a round.
    @inline(__always)
    private func isEarlier(_ time: Int, _ labels: [Int], _ stop: Int, _ round: Int) -> Bool {
        let first = stop * stride
        for label in first...first + round where labels[label] <= time { return false }
        return true
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
        var marked: [Int] = []
        for origin in origins {
            let time = start + origin.seconds
            guard time < ready[origin.stop * stride] else { continue }
            ready[origin.stop * stride] = time
            marked.append(origin.stop)
            touched.append(Int32(origin.stop))
        }
        for round in 1...rounds where !marked.isEmpty {
            try Interruption.check()
            let queue = lines(at: marked)
            trace.record(names.round(round, stops: marked.count, lines: queue.count))
            let (reached, target) = ride(queue, round, &trace, names)
            marked = round < rounds ? walk(from: reached, round, &trace, names) : []
            if let target {
                let end = best[round]
                found.append(Found(start: start, end: end, rides: rides(to: target, round)))
                trace.record(names.arrival(round, end))
            }
        }
        return found
    }

    /// The lines at some stops, each from the first of them on.
    private mutating func lines(at marked: [Int]) -> [(line: Int, position: Int)] {
        var queue: [Int32] = []
        for stop in marked {
            for call in days.calls(at: stop) {
                let line = Int(call.line)
                if positions[line] == .max { queue.append(call.line) }
                positions[line] = min(positions[line], call.position)
            }
        }
        queue.sort()
        return queue.map { line in
            defer { positions[Int(line)] = .max }
            return (line: Int(line), position: Int(positions[Int(line)]))
        }
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
        let table = days.table
        for (number, first) in queue {
            let (calls, starts) = (table.calls(number), table.starts(number))
            var run = -1
            var boarded = 0
            for position in first..<calls.count {
                let call = table.calls[calls.lowerBound + position]
                let stop = Int(call.stop)
                if run >= 0, call.alights {
                    let time = table.starts[run] + Int(call.arrival)
                    if time < limit, isEarlier(time, arrived, stop, round) {
                        let label = stop * stride + round
                        if stamps[stop] != stamp {
                            stamps[stop] = stamp
                            reached.append(stop)
                            touched.append(Int32(stop))
                        }
                        arrived[label] = time
                        rideParents[label] = RideParent(
                            line: Int32(number), run: Int32(run - starts.lowerBound), from: Int32(boarded),
                            to: Int32(position))
                        trace.record(names.label(round, stop, time, days.lines[number], boarded))
                        if let seconds = egress[stop] {
                            let end = time + seconds
                            if end < limit {
                                limit = end
                                best[round] = end
                                target = stop
                            } else {
                                trace.record(names.dominated(round, stop, end, limit))
                            }
                        }
                    }
                }
                guard call.boards else { continue }
                let time = ready[stop * stride + round - 1]
                guard time < Self.never else { continue }
                let wanted = time - Int(call.departure)
                if run < 0 {
                    let next = Self.first(in: table.starts, starts, from: wanted)
                    guard next < starts.upperBound else { continue }
                    (run, boarded) = (next, position)
                } else if table.starts[run] >= wanted {
                    // Whoever is here early enough may catch a run before.
                    var next = run
                    while next > starts.lowerBound, table.starts[next - 1] >= wanted { next -= 1 }
                    if next < run { (run, boarded) = (next, position) }
                }
            }
        }
        return (reached, target)
    }

    /// The index of the first start not before a time.
    private static func first(in starts: [Int], _ range: Range<Int>, from time: Int) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Walks from the stops improved. Who cannot board before the target is reached with as many rides needs no walk.
    private mutating func walk(
        from reached: [Int], _ round: Int, _ trace: inout some TraceRecorder, _ names: JourneyNames
    ) -> [Int] {
        var marked: [Int] = []
        let limit = bestArrival(round)
        stamp += 1
        for stop in reached {
            let time = arrived[stop * stride + round]
            for walk in days.walks[stop] {
                let there = Int(walk.stop)
                let then = time + Int(walk.seconds)
                guard then < limit, isEarlier(then, ready, there, round) else { continue }
                ready[there * stride + round] = then
                walkParents[there * stride + round] = Int32(stop)
                if stamps[there] != stamp {
                    stamps[there] = stamp
                    marked.append(there)
                    touched.append(Int32(there))
                }
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
            let parent = rideParents[stop * stride + round]
            guard parent.line >= 0 else { break }
            rides.append(
                Ride(line: Int(parent.line), run: Int(parent.run), from: Int(parent.from), to: Int(parent.to))
            )
            round -= 1
            let boarded = Int(days.lines[Int(parent.line)].stops[Int(parent.from)])
            if round > 0 { stop = Int(walkParents[boarded * stride + round]) }
        }
        return rides.reversed()
    }
}
