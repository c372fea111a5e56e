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
                starts: [], runs: [], pattern: source.pattern)
            var found: [(start: Int, run: Run)] = []
            for (day, reference, services) in days[feed.zone(ofRoute: source.route).identifier] ?? [] {
                for trip in source.trips where services.runs[Int(trip.service)] {
                    let start = reference + Int(trip.start)
                    guard start + Int(source.departures.last ?? 0) >= from, start < end else { continue }
                    if needsWheelchair, trip.wheelchair != 1 {
                        if trip.wheelchair == 0 { unknownWheelchair += 1 }
                        continue
                    }
                    let run = Run(trip: trip.row, day: day, start: trip.start, isFrequency: trip.isFrequency)
                    if updated[trip.row] != nil, let snapshot,
                        let known = try feed.live(
                            source.pattern, trip: trip.row, day: day, start: Int(trip.start),
                            isFrequency: trip.isFrequency, snapshot)
                    {
                        addLive(line, source, run, start, known, network)
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

    /// A run with times of its own is a line of its own: it may be overtaken.
    private mutating func addLive(
        _ line: Line, _ source: JourneyNetwork.Line, _ run: Run, _ start: Int, _ known: [Int: LiveCall],
        _ network: JourneyNetwork
    ) {
        var own = line
        own.isLive = true
        var latest = Int.min
        for call in line.stops.indices {
            let live = known[Int(source.sequences[call])]
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

    /// The same backwards in time.
    var reversed: JourneyDays {
        var days = JourneyDays()
        days.lines = lines.map(\.reversed)
        days.walks = Array(repeating: [], count: walks.count)
        for (from, list) in walks.enumerated() {
            for walk in list {
                days.walks[Int(walk.stop)].append(
                    JourneyNetwork.Walk(stop: Int32(from), seconds: walk.seconds))
            }
        }
        days.unknownWheelchair = unknownWheelchair
        days.index(walks.count)
        return days
    }
}
