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
        /// Whether its times are from a realtime message.
        var isLive = false
        var pattern: Int64
        /// The patterns of a line that consists of several, by the calls in the direction of time.
        var parts: [JourneyNetwork.Part] = []
        /// The trip, if it exists only in a realtime message.
        var added: Added?

        /// Applies the times of a message to some calls. Calls without realtime data keep the schedule;
        /// where that is impossible, because the vehicle has not arrived yet, the last delay continues.
        fileprivate mutating func follow(_ calls: Range<Int>, _ known: [LiveCall?], start: Int) {
            var before: Int?
            var late = 0
            for call in calls {
                let live = known[call]
                if live?.kind == .skipped {
                    boards[call] = false
                    alights[call] = false
                    arrivals[call] = before ?? arrivals[call]
                    departures[call] = before ?? departures[call]
                    continue
                }
                let scheduled = departures[call]
                if let departure = live?.departure {
                    departures[call] = departure - start
                    late = max(0, departures[call] - scheduled)
                    arrivals[call] = live?.arrival.map { $0 - start } ?? arrivals[call]
                } else if let before, arrivals[call] < before {
                    arrivals[call] += late
                    departures[call] += late
                }
                arrivals[call] = max(before ?? arrivals[call], arrivals[call])
                departures[call] = max(arrivals[call], departures[call])
                before = departures[call]
            }
        }

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

    /// A trip that is not in the timetable.
    struct Added: Sendable, Hashable {
        var trip: String
        /// The name of its last stop.
        var headsign: String
    }

    private(set) var lines: [Line] = []
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
        needsWheelchair: Bool
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
        let updated = try snapshot.map { try LiveRuns(feed, $0).updatedTrips() } ?? [:]
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
                    && trip.chainedTrips.allSatisfy({ services.runs[Int($0.service)] })
                {
                    let start = reference + Int(trip.start)
                    guard start + Int(source.departures.last ?? 0) >= from, start < end else { continue }
                    if needsWheelchair, trip.wheelchair != 1 {
                        if trip.wheelchair == 0, trip.chainedTrips.isEmpty { unknownWheelchair += 1 }
                        continue
                    }
                    let run = Run(
                        trip: trip.row, day: day, start: trip.start, isFrequency: trip.isFrequency,
                        chainedTrips: trip.chainedTrips)
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
        if let snapshot {
            try addAdded(network, feed, snapshot, from..<end, needsWheelchair: needsWheelchair)
        }
        walks = network.walks
        index(network.numbers.count)
    }

    /// The trips that a message adds, between stops that are served in the timetable.
    private mutating func addAdded(
        _ network: JourneyNetwork, _ feed: Feed, _ snapshot: RealtimeSnapshot, _ span: Range<Int>,
        needsWheelchair: Bool
    ) throws {
        for update in snapshot.feed.updates where [.added, .new].contains(update.trip.relationship) {
            guard let route = feed.routes.first(where: { $0.value.id == update.trip.route }) else { continue }
            var line = Line(
                route: route.key, stops: [], arrivals: [], departures: [], boards: [], alights: [],
                starts: [],
                runs: [], isLive: true, pattern: 0)
            var latest = Int.min
            for call in update.stops {
                guard let arrival = call.arrival?.time ?? call.departure?.time,
                    let record = try feed.stops.with(id: call.assignedStop ?? call.stop),
                    let stop = network.index[record.number]
                else { continue }
                line.stops.append(stop)
                line.arrivals.append(max(latest, arrival))
                latest = max(latest, arrival, call.departure?.time ?? arrival)
                line.departures.append(latest)
                line.boards.append(call.relationship != .skipped)
                line.alights.append(call.relationship != .skipped)
            }
            guard let start = line.departures.first, line.stops.count > 1, latest >= span.lowerBound,
                start < span.upperBound
            else { continue }
            if needsWheelchair {
                unknownWheelchair += 1
                continue
            }
            line.boards[line.stops.count - 1] = false
            line.alights[0] = false
            line.arrivals = line.arrivals.map { $0 - start }
            line.departures = line.departures.map { $0 - start }
            let zone = feed.zone(ofRoute: route.key)
            let day = update.trip.day ?? ServiceDay.date(of: start, in: zone)
            let last = try feed.stops.rows([network.numbers[Int(line.stops[line.stops.count - 1])]]).first
            line.added = Added(trip: update.trip.trip, headsign: last?.title ?? "")
            line.starts = [start]
            line.runs = [
                Run(
                    trip: 0, day: day, start: Int32(clamping: start - ServiceDay.reference(day, in: zone)),
                    isFrequency: false)
            ]
            lines.append(line)
        }
    }

    /// A message's times for the calls of a run; `nil` if it has no update of the run.
    private static func known(
        _ source: JourneyNetwork.Line, _ run: Run, _ feed: Feed, _ snapshot: RealtimeSnapshot,
        _ updated: [Int64: [Int]]
    ) throws -> [LiveCall?]? {
        func live(_ pattern: Int64, _ trip: Int64, _ start: Int32) throws -> [Int: LiveCall]? {
            guard updated[trip] != nil else { return nil }
            return try LiveRuns(feed, snapshot).calls(
                ofPattern: pattern, trip: trip, day: run.day, start: Int(start), isFrequency: run.isFrequency)
        }
        guard !run.chainedTrips.isEmpty else {
            return try live(source.pattern, run.trip, run.start).map { known in
                source.sequences.map { known[Int($0)] }
            }
        }
        var calls: [LiveCall?] = Array(repeating: nil, count: source.stops.count)
        var isKnown = false
        for (part, chained) in zip(source.parts, run.chainedTrips) {
            guard let known = try live(part.pattern, chained.row, chained.start) else { continue }
            isKnown = true
            for call in part.calls { calls[call] = known[Int(source.sequences[call])] }
        }
        return isKnown ? calls : nil
    }

    /// A run with its own times is a line of its own: it may be overtaken.
    private mutating func addLive(_ line: Line, _ run: Run, _ start: Int, _ known: [LiveCall?]) {
        if known.contains(where: { $0?.kind == .cancelled }) { return }
        var own = line
        own.isLive = true
        var last: Int?
        for calls in line.parts.isEmpty ? [line.stops.indices] : line.parts.map(\.calls) {
            own.follow(calls, known, start: start)
            // The delay of a vehicle's trip carries over to its next trip.
            if let last, last > own.departures[calls.lowerBound] {
                let shift = last - own.departures[calls.lowerBound]
                for call in calls {
                    own.arrivals[call] += shift
                    own.departures[call] += shift
                }
            }
            last = own.arrivals[calls.upperBound - 1]
        }
        own.starts = [start]
        own.runs = [run]
        lines.append(own)
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
        days.index(walks.count)
        return days
    }
}
