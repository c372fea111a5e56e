import CivilTime
import PluginKit

/// The runs of some service days, ready to be searched forwards in time or, for arrivals, backwards.
struct JourneyDays: Sendable {
    /// A run of a line: which trip, on which day.
    struct Run: Sendable, Hashable {
        var trip: Int64
        var day: CivilDate
        /// Seconds of the service day.
        var start: Int32
        var isFrequency: Bool
        /// The trips of a line of several.
        var seats: [JourneyNetwork.Seat] = []
    }

    /// A line with its runs in the order of time. Searched backwards, it runs from its last stop to its first, at the
    /// negative of its times.
    struct Line: Sendable {
        var route: Int64
        var stops: [Int32]
        var arrivals: [Int]
        var departures: [Int]
        var boards: [Bool]
        var alights: [Bool]
        var starts: [Int]
        var runs: [Run]
        /// Whether its times are those of a realtime message.
        var isLive = false
        var pattern: Int64
        /// The patterns of a line of several, by the calls in the direction of time.
        var parts: [JourneyNetwork.Part] = []

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

    private(set) var lines: [Line] = []
    /// The lines at each stop, with the position of the call.
    private(set) var linesAt: [[(line: Int32, position: Int32)]] = []
    /// The walks from each stop.
    private(set) var walks: [[JourneyNetwork.Walk]] = []
    /// Trips left out because nothing is known about wheelchairs.
    private(set) var unknownWheelchair = 0

    private init() {}

    /// The runs of the days whose times reach into a span of seconds since 1970.
    init(
        _ network: JourneyNetwork, _ feed: Feed, from: Int, until end: Int, snapshot: RealtimeSnapshot?,
        needsWheelchair: Bool
    ) throws {
        let days = Dictionary(
            uniqueKeysWithValues: feed.zones.map { zone in
                (
                    zone.identifier,
                    feed.serviceDays(from: from, until: end, in: zone).map { day in
                        (
                            day: day, reference: ServiceDay.reference(day, in: zone),
                            services: feed.services(on: day)
                        )
                    }
                )
            })
        let updated = try snapshot.map { try feed.updated(by: $0) } ?? [:]
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
                    && trip.seats.allSatisfy({ services.runs[Int($0.service)] })
                {
                    let start = reference + Int(trip.start)
                    guard start + Int(source.departures.last ?? 0) >= from, start < end else { continue }
                    if needsWheelchair, trip.wheelchair != 1 {
                        if trip.wheelchair == 0, trip.seats.isEmpty { unknownWheelchair += 1 }
                        continue
                    }
                    let run = Run(
                        trip: trip.row, day: day, start: trip.start, isFrequency: trip.isFrequency,
                        seats: trip.seats)
                    if let snapshot, let known = try Self.known(source, run, feed, snapshot, updated) {
                        addLive(line, run, start, known)
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
        walks = network.walks
        index(network.numbers.count)
    }

    /// What a message says about the calls of a run; `nil` if it does not mention it.
    private static func known(
        _ source: JourneyNetwork.Line, _ run: Run, _ feed: Feed, _ snapshot: RealtimeSnapshot,
        _ updated: [Int64: [Int]]
    ) throws -> [LiveCall?]? {
        func live(_ pattern: Int64, _ trip: Int64, _ start: Int32) throws -> [Int: LiveCall]? {
            guard updated[trip] != nil else { return nil }
            return try feed.live(
                pattern, trip: trip, day: run.day, start: Int(start), isFrequency: run.isFrequency, snapshot)
        }
        guard !run.seats.isEmpty else {
            return try live(source.pattern, run.trip, run.start).map { known in
                source.sequences.map { known[Int($0)] }
            }
        }
        var calls: [LiveCall?] = Array(repeating: nil, count: source.stops.count)
        var isKnown = false
        for (part, seat) in zip(source.parts, run.seats) {
            guard let known = try live(part.pattern, seat.row, seat.start) else { continue }
            isKnown = true
            for call in part.calls { calls[call] = known[Int(source.sequences[call])] }
        }
        return isKnown ? calls : nil
    }

    /// A run with times of its own is a line of its own: it may be overtaken.
    private mutating func addLive(_ line: Line, _ run: Run, _ start: Int, _ known: [LiveCall?]) {
        var own = line
        own.isLive = true
        var latest = Int.min
        for call in line.stops.indices {
            let live = known[call]
            if live?.kind == .cancelled { return }
            if live?.kind == .skipped {
                own.boards[call] = false
                own.alights[call] = false
            }
            let arrival = max(latest, live?.arrival.map { $0 - start } ?? line.arrivals[call])
            latest = max(arrival, live?.departure.map { $0 - start } ?? line.departures[call])
            own.arrivals[call] = arrival
            own.departures[call] = latest
        }
        own.starts = [start]
        own.runs = [run]
        lines.append(own)
    }

    private mutating func index(_ stops: Int) {
        linesAt = Array(repeating: [], count: stops)
        for (number, line) in lines.enumerated() {
            for (position, stop) in line.stops.enumerated() {
                linesAt[Int(stop)].append((Int32(number), Int32(position)))
            }
        }
    }

    /// Replaces estimated walks by those on streets; of others the fewest seconds possible are taken.
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

    /// The walk from one stop to another, whichever way the days run.
    func walk(from: Int, to: Int, isBackwards: Bool) -> JourneyNetwork.Walk? {
        isBackwards
            ? walks[to].first { Int($0.stop) == from } : walks[from].first { Int($0.stop) == to }
    }

    /// The same backwards in time.
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
        days.index(walks.count)
        return days
    }
}
