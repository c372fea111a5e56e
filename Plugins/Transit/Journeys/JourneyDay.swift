import CivilTime
import PluginKit

/// The runs of some service days, prepared for searches forwards in time or, for arrivals, backwards.
struct JourneyDays: Sendable {
    /// A run of a line: a trip on a day.
    struct Run: Sendable, Hashable {
        var trip: Int64
        var day: CivilDate
        /// Seconds of the service day.
        var start: Int32
        var isFrequency: Bool
        /// The trips of a line that consists of several.
        var chainedTrips: [JourneyNetwork.ChainedTrip] = []
    }

    /// A line with its runs ordered by time. For backward searches it runs from its last stop to its first,
    /// with negated times.
    struct Line: Sendable {
        var route: Int64
        var stops: [Int32]
        var arrivals: [Int]
        var departures: [Int]
        var boards: [Bool]
        var alights: [Bool]
        var starts: [Int]
        var runs: [Run]
        var pattern: Int64
        /// The patterns of a line that consists of several, by the calls in the direction of time.
        var parts: [JourneyNetwork.Part] = []
        /// The trips of a run of a realtime message, in the direction of time; empty for a scheduled line.
        var live: [LivePart] = []

        var reversed: Line {
            var line = self
            line.stops.reverse()
            line.arrivals = departures.reversed().map { -$0 }
            line.departures = arrivals.reversed().map { -$0 }
            line.boards = alights.reversed()
            line.alights = boards.reversed()
            line.starts = starts.reversed().map { -$0 }
            line.runs.reverse()
            return line
        }
    }

    /// A trip of a line whose run is one of a realtime message.
    struct LivePart: Sendable {
        /// The run; `nil` for a scheduled trip of a vehicle whose other trips are in the message.
        var run: LiveRun?
        var trip: Int64?
        var route: Int64?
        var pattern: Int64
        /// Its calls in the line, and for each the call of the run.
        var calls: Range<Int>
        var callsOfRun: [Int] = []
        /// The planned departures, seconds since 1970.
        var planned: [Int]
    }

    /// A vehicle's next trip in which riders would stay seated if messages did not contradict it.
    struct BrokenStay: Sendable, Hashable {
        enum Reason: Sendable, Hashable {
            /// The one arrives after the other leaves, in seconds since 1970.
            case leaves(Int, before: Int)
            /// The one does not end, or the other does not begin, at the stop where they meet.
            case apart
        }

        /// The trips.
        var from: Int64
        var to: Int64
        var reason: Reason
    }

    private(set) var lines: [Line] = []
    /// The next trips of vehicles that messages make impossible.
    private(set) var brokenStays: [BrokenStay] = []
    /// The same lines as flat lists for searching.
    private(set) var table = LineTable()
    /// The walks from each stop.
    private(set) var walks: [[JourneyNetwork.Walk]] = []
    /// The number of trips skipped because their wheelchair access is unknown.
    private(set) var unknownWheelchair = 0

    private init() {}

    /// The runs of the days whose times reach into a span of seconds since 1970.
    init(
        _ network: JourneyNetwork, _ feed: Feed, from: Int, until end: Int, snapshot: RealtimeSnapshot?,
        needsWheelchair: Bool, allowsUnknown: Bool = false
    ) throws {
        let days = Dictionary(
            uniqueKeysWithValues: feed.zones.map { zone in
                (
                    zone.identifier,
                    ServiceDay.days(from: from, until: end, latest: feed.latest, in: zone).map { day in
                        (
                            day: day, reference: ServiceDay.reference(day, in: zone),
                            services: feed.services(on: day)
                        )
                    }
                )
            })
        let live = try snapshot.map { try LiveTimetableMaker.timetable(feed, $0) }
        var placed: Set<LiveRun.Key> = []
        for source in network.lines {
            try Interruption.check()
            var line = Line(
                route: source.route, stops: source.stops, arrivals: source.arrivals.map(Int.init),
                departures: source.departures.map(Int.init), boards: source.boards, alights: source.alights,
                starts: [], runs: [], pattern: source.pattern, parts: source.parts)
            var found: [(start: Int, run: Run)] = []
            for (day, reference, services) in days[feed.zone(ofRoute: source.route).identifier] ?? [] {
                for trip in source.trips
                where services.runs[Int(trip.service)]
                    && trip.chainedTrips.allSatisfy({ $0.follows(services) })
                {
                    let start = reference + Int(trip.start)
                    guard start + Int(source.departures.last ?? 0) >= from, start < end else { continue }
                    let run = Run(
                        trip: trip.row, day: day, start: trip.start, isFrequency: trip.isFrequency,
                        chainedTrips: trip.chainedTrips)
                    let known = live.map { Self.live(run, $0) } ?? []
                    placed.formUnion(known.compactMap { $0?.key })
                    let access = Self.access(Int(trip.wheelchair), known)
                    if needsWheelchair, access != 1, !(allowsUnknown && access != 2) {
                        if access == 0, trip.chainedTrips.isEmpty { unknownWheelchair += 1 }
                        continue
                    }
                    if known.contains(where: { $0 != nil }) {
                        addLive(network, source, run, known, start: start)
                    } else {
                        found.append((start, run))
                    }
                }
            }
            guard !found.isEmpty else { continue }
            found.sort { ($0.start, $0.run.trip) < ($1.start, $1.run.trip) }
            line.starts = found.map(\.start)
            line.runs = found.map(\.run)
            lines.append(line)
        }
        for run in live?.runs ?? [] {
            // A message may put a run at another time of day than the timetable has.
            let isElsewhere =
                (run.kind == .updated || run.kind == .changed)
                && run.key.map { !placed.contains($0) } ?? false
            guard run.isBesideTimetable || isElsewhere else { continue }
            let planned = isElsewhere ? try run.row.flatMap { try feed.trips.with(row: $0) }?.wheelchair : nil
            addAdded(
                network, run, from..<end, access: run.wheelchair ?? planned ?? 0,
                needsWheelchair: needsWheelchair, allowsUnknown: allowsUnknown)
        }
        walks = network.walks
        index(network.numbers.count)
        // Stops that only messages can serve are of use where they do.
        let isUsed = network.numbers.indices.map { network.isServed($0) || !calls(at: $0).isEmpty }
        if isUsed.contains(false) {
            walks = walks.map { near in near.filter { isUsed[Int($0.stop)] } }
        }
    }

    /// The runs of a message for the trips of a run; `nil` for trips without.
    private static func live(_ run: Run, _ live: LiveTimetable) -> [LiveRun?] {
        guard !run.chainedTrips.isEmpty else { return [live.run(run.trip, run.day, Int(run.start))] }
        return run.chainedTrips.map { live.run($0.row, run.day, Int($0.start)) }
    }

    /// `wheelchair_accessible` of a run: what messages say of its vehicles stands before the timetable's, and of trips in
    /// which riders stay seated the worst counts.
    private static func access(_ planned: Int, _ known: [LiveRun?]) -> Int {
        let told = known.map { $0?.wheelchair }
        if told.contains(2) { return 2 }
        if !told.isEmpty, told.allSatisfy({ $0 == 1 }) { return 1 }
        return told.contains(0) && planned == 1 ? 0 : planned
    }

    /// A run that the timetable does not have at its time, between stops that it serves.
    private mutating func addAdded(
        _ network: JourneyNetwork, _ run: LiveRun, _ span: Range<Int>, access: Int, needsWheelchair: Bool,
        allowsUnknown: Bool
    ) {
        guard let first = run.calls.first?.expectedDeparture, let last = run.calls.last?.expectedArrival,
            last >= span.lowerBound, first < span.upperBound
        else { return }
        if needsWheelchair, access != 1, !(allowsUnknown && access != 2) {
            if access == 0 { unknownWheelchair += 1 }
            return
        }
        var line = Line(
            route: run.route ?? 0, stops: [], arrivals: [], departures: [], boards: [], alights: [],
            starts: [], runs: [], pattern: run.pattern ?? 0)
        line.append(run, network, canBoard: true, canAlight: true)
        let plain = Run(
            trip: run.row ?? 0, day: run.day, start: Int32(clamping: run.start), isFrequency: false)
        add(line, plain)
    }

    /// A run with its own times is a line of its own: it may be overtaken, and it may call elsewhere.
    private mutating func addLive(
        _ network: JourneyNetwork, _ source: JourneyNetwork.Line, _ run: Run, _ known: [LiveRun?], start: Int
    ) {
        if known.contains(where: { $0?.kind == .cancelled || $0?.kind == .deleted }) { return }
        if let parted = Self.parted(known, source, network) {
            breakStay(run, after: parted, .apart)
            return
        }
        var line = Line(
            route: source.route, stops: [], arrivals: [], departures: [], boards: [], alights: [], starts: [],
            runs: [], pattern: source.pattern)
        for (number, own) in known.enumerated() {
            let (isFirst, isLast) = (number == 0, number == known.count - 1)
            let before = line.arrivals.last
            let begin = line.stops.count
            if let own {
                line.append(own, network, canBoard: isFirst, canAlight: isLast)
            } else {
                line.append(source, part: number, start: start, run)
            }
            // The delay of a vehicle is in the times of its next trip already, those of the message or derived from it. Where
            // they contradict it all the same, nobody can count on staying seated: boards say that the next trip is gone.
            guard let before, begin < line.stops.count else { continue }
            if before > line.departures[begin] + TransitSettings.timeSlack {
                breakStay(run, after: number - 1, .leaves(line.departures[begin], before: before))
                return
            }
            // Within the tolerance the later time holds, as among the calls of one trip.
            line.hold(from: begin, notBefore: before)
        }
        line.parts = source.parts
        add(line, run)
    }

    private mutating func breakStay(_ run: Run, after number: Int, _ reason: BrokenStay.Reason) {
        let stay = BrokenStay(
            from: run.chainedTrips[number].row, to: run.chainedTrips[number + 1].row, reason: reason)
        if !brokenStays.contains(stay) { brokenStays.append(stay) }
    }

    /// The first trip of a vehicle that does not end where its next one begins, as messages have them: they replace or skip the
    /// call at which the two meet. `nil` if all meet.
    private static func parted(
        _ known: [LiveRun?], _ source: JourneyNetwork.Line, _ network: JourneyNetwork
    ) -> Int? {
        func calls(_ run: LiveRun?, _ call: Int?, at planned: Int?, _ stop: Int) -> Bool {
            guard let run else { return true }
            guard let call else { return false }
            return run.kind == .changed
                ? run.calls[call].knownStop == network.numbers[Int(source.stops[stop])] : call == planned
        }
        return known.indices.dropLast().first { number in
            let (run, next) = (known[number], known[number + 1])
            let (end, begin) = (
                source.parts[number].calls.upperBound - 1, source.parts[number + 1].calls.lowerBound
            )
            return !calls(run, run?.lastCall, at: run?.calls.indices.last, end)
                || !calls(next, next?.firstCall, at: next?.calls.indices.first, begin)
        }
    }

    /// Adds a line of one run whose times are instants.
    private mutating func add(_ line: Line, _ run: Run) {
        guard let start = line.departures.first, line.stops.count > 1 else { return }
        var line = line
        line.arrivals = line.arrivals.map { $0 - start }
        line.departures = line.departures.map { $0 - start }
        line.starts = [start]
        line.runs = [run]
        lines.append(line)
    }

    private mutating func index(_ stops: Int) { table = LineTable(lines, stops: stops) }

    /// The calls at a stop.
    func calls(at stop: Int) -> ArraySlice<LineTable.CallIndex> { table.calls(at: stop) }

    /// Replaces estimated walks by walks on streets; for unknown walks the lower bound is used.
    mutating func follow(_ streets: StreetWalks) {
        for stop in walks.indices {
            for index in walks[stop].indices where walks[stop][index].kind == .outside {
                let walk = walks[stop][index]
                let metres = Double(walk.metres)
                let pair = StreetWalks.Pair(from: walk.fromDoor, to: walk.toDoor)
                walks[stop][index].seconds += streets.seconds(pair, metres) - JourneySettings.seconds(metres)
            }
        }
    }

    /// The walk from one stop to another, in either direction of search.
    func walk(from: Int, to: Int, isBackwards: Bool) -> JourneyNetwork.Walk? {
        isBackwards
            ? walks[to].first { Int($0.stop) == from } : walks[from].first { Int($0.stop) == to }
    }

    /// The same days in the backward direction.
    var reversed: JourneyDays {
        var days = JourneyDays()
        days.lines = lines.map(\.reversed)
        days.walks = Array(repeating: [], count: walks.count)
        for (from, list) in walks.enumerated() {
            for walk in list {
                var back = walk
                back.stop = Int32(from)
                days.walks[Int(walk.stop)].append(back)
            }
        }
        days.unknownWheelchair = unknownWheelchair
        days.brokenStays = brokenStays
        days.index(walks.count)
        return days
    }
}

extension JourneyDays.Line {
    /// Makes the calls from one on not earlier than an instant.
    fileprivate mutating func hold(from first: Int, notBefore time: Int) {
        for call in first..<stops.count {
            arrivals[call] = max(time, arrivals[call])
            departures[call] = max(time, departures[call])
        }
    }

    /// Appends the calls of a run of a message that are at stops of the network; times are instants.
    fileprivate mutating func append(
        _ run: LiveRun, _ network: JourneyNetwork, canBoard: Bool, canAlight: Bool
    ) {
        var part = JourneyDays.LivePart(
            run: run, trip: run.row, route: run.route, pattern: run.pattern ?? 0,
            calls: stops.count..<stops.count, planned: [])
        for (index, call) in run.calls.enumerated() where !call.isSkipped {
            guard let stop = network.index[call.knownStop] else { continue }
            let isClosed = network.closed.contains(stop)
            stops.append(network.place(at: stop, of: run.row, on: run.route))
            arrivals.append(call.expectedArrival)
            departures.append(call.expectedDeparture)
            boards.append(canBoard && call.pickup != 1 && !isClosed)
            alights.append(canAlight && call.dropOff != 1 && !isClosed)
            part.callsOfRun.append(index)
            part.planned.append(call.departure)
        }
        part.calls = part.calls.lowerBound..<stops.count
        live.append(part)
        guard !part.calls.isEmpty else { return }
        boards[stops.count - 1] = false
        alights[part.calls.lowerBound] = false
    }

    /// Appends a scheduled trip of a line of several; times are instants.
    fileprivate mutating func append(
        _ source: JourneyNetwork.Line, part number: Int, start: Int, _ run: JourneyDays.Run
    ) {
        let part = source.parts[number]
        let begin = stops.count
        for call in part.calls {
            stops.append(source.stops[call])
            arrivals.append(start + Int(source.arrivals[call]))
            departures.append(start + Int(source.departures[call]))
            boards.append(source.boards[call])
            alights.append(source.alights[call])
        }
        live.append(
            JourneyDays.LivePart(
                run: nil, trip: run.chainedTrips[number].row, route: part.route, pattern: part.pattern,
                calls: begin..<stops.count, planned: part.calls.map { start + Int(source.departures[$0]) }))
    }
}
