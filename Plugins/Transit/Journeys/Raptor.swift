import PluginKit

/// Searches journeys that are Pareto-optimal in arrival and number of changes: RAPTOR (Delling, Pajor and
/// Werneck, *Round-Based Public Transit Routing*, 2012). Round k finds the earliest arrivals with k rides;
/// each round scans the lines at the stops improved by the round before, then relaxes one walk.
///
/// There is one walk, or the change at a stop, between two rides; walks are not chained, so arrivals by
/// ride and by walk have separate labels. Labels can be reused by a search that begins earlier
/// (rRAPTOR): an arrival must then be earlier than those of later starts.
struct Raptor {
    /// A stop at the start or the destination, with the seconds of the walk.
    typealias Access = (stop: Int, seconds: Int)

    /// A ride of a journey found.
    struct Ride: Hashable {
        var line: Int
        var run: Int
        var from: Int
        var to: Int
    }

    /// A journey found: rides in search order, which is backwards if the days are.
    struct Found: Hashable {
        /// The earliest departure from the origin, and the arrival.
        var start: Int
        var end: Int
        var rides: [Ride]
    }

    private let days: JourneyDays
    private let rounds: Int
    /// The labels of a stop are adjacent, one for each round.
    private let stride: Int
    private let memory: RaptorMemory
    private let targets: [Access]
    /// Stops that have labels; may repeat.
    private var touched: [Int32] = []
    /// The earliest arrival at the target in each round.
    private var best: [Int]
    /// Seconds of the walk from origin to target, if it is short enough.
    private let direct: Int?
    /// The pruning bounds of a backward search, from the forward search of the origin.
    private let within: Reach?

    /// The labels of a search, used to prune the search in the opposite direction from one of its journeys:
    /// a stop that the forward search did not reach in time, with the remaining rides, is on no journey.
    struct Reach {
        fileprivate let memory: RaptorMemory
        fileprivate let stride: Int
        /// The rides of the journey.
        fileprivate let rides: Int

        /// Whether a stop can be boarded by an instant when this many rides follow.
        @inline(__always)
        fileprivate func boards(_ stop: Int, by time: Int, before rides: Int) -> Bool {
            isReached(memory.ready + stop * stride, by: time, self.rides - rides)
        }

        /// Whether a stop can be alighted at by an instant when this many rides follow.
        @inline(__always)
        fileprivate func alights(_ stop: Int, by time: Int, before rides: Int) -> Bool {
            isReached(memory.arrived + stop * stride, by: time, self.rides - rides)
        }

        @inline(__always)
        private func isReached(_ labels: UnsafeMutablePointer<Int>, by time: Int, _ rides: Int) -> Bool {
            var round = 0
            while round <= rides {
                if labels[round] <= time { return true }
                round += 1
            }
            return false
        }
    }

    /// Searches in some days; only arrivals before `bound` are found.
    init(
        _ days: JourneyDays, to targets: [Access], changes: Int, direct: Int?, bound: Int? = nil,
        within reach: Reach? = nil, memory: inout RaptorMemory?
    ) {
        self.days = days
        self.direct = direct
        self.targets = targets
        within = reach
        rounds = changes + 1
        stride = rounds + 1
        let stops = days.walks.count
        best = Array(repeating: RaptorMemory.never, count: stride)
        best[0] = bound ?? RaptorMemory.never
        let labels = stride * stops
        if let given = memory, given.fits(labels: labels, stops: stops, lines: days.lines.count) {
            self.memory = given
        } else {
            self.memory = RaptorMemory(labels: labels, stops: stops, lines: days.lines.count)
        }
        memory = nil
        for target in targets {
            let known = self.memory.egress[target.stop]
            if known < 0 || target.seconds < Int(known) {
                self.memory.egress[target.stop] = Int32(clamping: target.seconds)
            }
        }
    }

    /// Ends the searches and returns their memory, with labels cleared.
    consuming func release() -> RaptorMemory {
        for stop in touched {
            for label in Int(stop) * stride..<(Int(stop) + 1) * stride {
                memory.arrived[label] = RaptorMemory.never
                memory.ready[label] = RaptorMemory.never
            }
        }
        for target in targets { memory.egress[target.stop] = -1 }
        return memory
    }

    /// The labels for a backward search from a journey with a number of rides; `nil` if the journey is not
    /// the best found with that number. They must be used before the memory is released.
    func reach(rides: Int, end: Int) -> Reach? {
        guard (1...rounds).contains(rides), best[rides] == end, bestArrival(rides - 1) > end else {
            return nil
        }
        return Reach(memory: memory, stride: stride, rides: rides)
    }

    /// Whether a time improves all labels of a stop up to a round.
    @inline(__always)
    private func isEarlier(
        _ time: Int, _ labels: UnsafeMutablePointer<Int>, _ stop: Int, _ round: Int
    ) -> Bool {
        var label = labels + stop * stride
        let last = label + round
        while label <= last {
            if label.pointee <= time { return false }
            label += 1
        }
        return true
    }

    private func bestArrival(_ round: Int) -> Int { best[0...round].min() ?? RaptorMemory.never }

    /// Searches from an instant; returns the journeys that improve on all found before, by rides.
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
            guard time < memory.ready[origin.stop * stride] else { continue }
            memory.ready[origin.stop * stride] = time
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
                trace.record(names.arrival(round: round, time: end))
            }
        }
        return found
    }

    /// The lines at some stops, each from the first of these stops.
    private func lines(at marked: [Int]) -> [(line: Int, position: Int)] {
        let (positions, queued) = (memory.positions, memory.queued)
        var count = 0
        days.table.withCallIndices { indices, ends in
            for stop in marked {
                for index in Int(ends[stop])..<Int(ends[stop + 1]) {
                    let (line, position) = (Int(indices[index].line), indices[index].position)
                    if positions[line] == .max {
                        queued[line / 64] |= 1 << UInt64(line % 64)
                        count += 1
                    }
                    if position < positions[line] { positions[line] = position }
                }
            }
        }
        // In the order of lines, without sorting.
        var queue: [(line: Int, position: Int)] = []
        queue.reserveCapacity(count)
        for word in 0...days.lines.count / 64 {
            var bits = queued[word]
            queued[word] = 0
            while bits != 0 {
                let line = word * 64 + bits.trailingZeroBitCount
                bits &= bits - 1
                queue.append((line, Int(positions[line])))
                positions[line] = .max
            }
        }
        return queue
    }

    /// Scans lines as far as they improve labels; returns the improved stops, and the last stop before the
    /// target if it was improved.
    private mutating func ride(
        _ queue: [(line: Int, position: Int)], _ round: Int, _ trace: inout some TraceRecorder,
        _ names: JourneyNames
    ) -> (reached: [Int], target: Int?) {
        var reached: [Int] = []
        var target: Int?
        var limit = bestArrival(round)
        // Local variables avoid reference counting in the loops.
        let (memory, within, table) = (memory, within, days.table)
        memory.stamp += 1
        let (stamp, stamps) = (memory.stamp, memory.stamps)
        let (arrived, ready, egress) = (memory.arrived, memory.ready, memory.egress)
        table.withCalls { calls, callEnds, starts, startEnds in
            for (number, first) in queue {
                let line = calls + Int(callEnds[number])
                let count = Int(callEnds[number + 1] - callEnds[number])
                let (firstRun, endRun) = (Int(startEnds[number]), Int(startEnds[number + 1]))
                var run = -1
                var boarded = 0
                for position in first..<count {
                    let call = line[position]
                    let stop = Int(call.stop)
                    if run >= 0, call.alights {
                        let time = starts[run] + Int(call.arrival)
                        if time < limit, isEarlier(time, arrived, stop, round),
                            within?.boards(stop, by: -time, before: round) ?? true
                        {
                            let label = stop * stride + round
                            if stamps[stop] != stamp {
                                stamps[stop] = stamp
                                reached.append(stop)
                                touched.append(Int32(stop))
                            }
                            arrived[label] = time
                            memory.rideParents[label] = RaptorMemory.RideParent(
                                line: Int32(number), run: Int32(run - firstRun), from: Int32(boarded),
                                to: Int32(position))
                            trace.record(
                                names.label(
                                    round: round, at: stop, time: time, line: days.lines[number],
                                    from: boarded))
                            if egress[stop] >= 0 {
                                let end = time + Int(egress[stop])
                                if end < limit {
                                    limit = end
                                    best[round] = end
                                    target = stop
                                } else {
                                    trace.record(
                                        names.dominated(round: round, at: stop, time: end, best: limit))
                                }
                            }
                        }
                    }
                    guard call.boards else { continue }
                    let time = ready[stop * stride + round - 1]
                    guard time < RaptorMemory.never else { continue }
                    let wanted = time - Int(call.departure)
                    if run < 0 {
                        let next = Self.first(in: starts, firstRun..<endRun, from: wanted)
                        guard next < endRun else { continue }
                        (run, boarded) = (next, position)
                    } else if starts[run] >= wanted {
                        // An early enough arrival may catch an earlier run.
                        var next = run
                        while next > firstRun, starts[next - 1] >= wanted { next -= 1 }
                        if next < run { (run, boarded) = (next, position) }
                    }
                }
            }
        }
        return (reached, target)
    }

    /// The index of the first start not before a time.
    @inline(__always)
    private static func first(in starts: UnsafePointer<Int>, _ range: Range<Int>, from time: Int) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Relaxes walks from the improved stops. A stop that cannot be boarded before the target is reached
    /// with as many rides is skipped.
    private mutating func walk(
        from reached: [Int], _ round: Int, _ trace: inout some TraceRecorder, _ names: JourneyNames
    ) -> [Int] {
        var marked: [Int] = []
        let limit = bestArrival(round)
        let (memory, within) = (memory, within)
        memory.stamp += 1
        let (stamp, stamps) = (memory.stamp, memory.stamps)
        let (arrived, ready) = (memory.arrived, memory.ready)
        for stop in reached {
            let time = arrived[stop * stride + round]
            for walk in days.walks[stop] {
                let there = Int(walk.stop)
                let then = time + Int(walk.seconds)
                guard then < limit, isEarlier(then, ready, there, round),
                    within?.alights(there, by: -then, before: round) ?? true
                else { continue }
                ready[there * stride + round] = then
                memory.walkParents[there * stride + round] = Int32(stop)
                if stamps[there] != stamp {
                    stamps[there] = stamp
                    marked.append(there)
                    touched.append(Int32(there))
                }
                if there != stop { trace.record(names.walk(round: round, from: stop, to: there, time: then)) }
            }
        }
        return marked
    }

    /// The earliest arrival of a ride at each stop reached, and the fewest rides with it; before the memory is released.
    func arrivals() -> [Int: (time: Int, rides: Int)] {
        var found: [Int: (time: Int, rides: Int)] = [:]
        for stop in Set(touched.map { Int($0) }) {
            for round in 1...rounds {
                let time = memory.arrived[stop * stride + round]
                guard time < found[stop]?.time ?? RaptorMemory.never else { continue }
                found[stop] = (time, round)
            }
        }
        return found
    }

    /// The rides that end at a stop in a round.
    private func rides(to stop: Int, _ round: Int) -> [Ride] {
        var rides: [Ride] = []
        var (stop, round) = (stop, round)
        while round > 0 {
            let parent = memory.rideParents[stop * stride + round]
            guard parent.line >= 0 else { break }
            rides.append(
                Ride(line: Int(parent.line), run: Int(parent.run), from: Int(parent.from), to: Int(parent.to))
            )
            round -= 1
            let boarded = Int(days.lines[Int(parent.line)].stops[Int(parent.from)])
            if round > 0 { stop = Int(memory.walkParents[boarded * stride + round]) }
        }
        return rides.reversed()
    }
}
