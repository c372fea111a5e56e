import CivilTime
import Foundation
import PluginKit

/// Finds the run that an update is about, in the order of the GTFS-realtime reference: by trip_id, else by
/// route, direction, start time and day, if they are those of one run alone.
struct UpdateMatcher {
    /// The run found, or why there is none.
    enum Found {
        case run(Run)
        case none(UpdateVerdict.Outcome, String)
    }

    struct Run {
        var trip: TripRecord
        var day: CivilDate
        var start: Int
        /// Why it is this run.
        var why: String
        /// Whether it was found by its identifier and its day alone.
        var isPlain = false
        /// Whether it is a run by headway that starts beside the times of the headway.
        var isOffGrid = false
        /// Whether it is a run by headway whose planned times are not exact.
        var isInexact = false

        /// The same run, found in another way than by its identifier.
        func doubtful(_ why: String) -> Run {
            var run = self
            run.why = why + (isPlain ? "" : "; \(self.why)")
            run.isPlain = false
            return run
        }
    }

    /// A period of a trip by headway.
    typealias Period = TripTable.Period

    private let feed: Feed
    private var tripsOfRoute: [Int64: [TripRecord]] = [:]
    /// The trips of routes by their identifiers and the ends of these.
    private var tailsOfRoute: [Int64: [Substring: [TripRecord]]] = [:]
    private var periodsOfTrip: [Int64: [Period]] = [:]
    private var callsOfPattern: [Int64: [PatternCall]] = [:]
    private lazy var routeNumbers = Dictionary(
        feed.routes.map { ($0.value.id, $0.key) }, uniquingKeysWith: min)

    init(_ feed: Feed) { self.feed = feed }

    /// The number of a route.
    mutating func route(_ id: String) -> Int64? { id.isEmpty ? nil : routeNumbers[id] }

    /// The calls of a pattern.
    mutating func calls(_ pattern: Int64) throws -> [PatternCall] {
        if let known = callsOfPattern[pattern] { return known }
        let made = try feed.trips.calls(ofPattern: pattern)
        callsOfPattern[pattern] = made
        return made
    }

    private mutating func periods(_ trip: TripRecord) throws -> [Period] {
        if let known = periodsOfTrip[trip.row] { return known }
        let made = try feed.trips.periods(of: trip)
        periodsOfTrip[trip.row] = made
        return made
    }

    /// The run of an update measured at `time`.
    mutating func find(_ update: RealtimeFeed.TripUpdate, at time: Int) throws -> Found {
        let asked = update.trip
        if !asked.trip.isEmpty, let trip = try feed.trips.with(id: asked.trip) {
            return try trip.isFrequency ? headwayRun(trip, asked, time) : run(trip, update, time)
        }
        // A start names the run by itself, whatever its identifier is like.
        let found = try described(asked, time)
        if asked.start != nil, case .run = found { return found }
        if let found = try byTail(update, time) ?? byHead(update, time) { return .run(found) }
        return found
    }

    // MARK: By trip_id

    private mutating func run(
        _ trip: TripRecord, _ update: RealtimeFeed.TripUpdate, _ time: Int
    ) throws -> Found {
        let asked = update.trip
        var doubts: [String] = []
        if let start = asked.start, start != trip.start {
            doubts.append(
                "its start_time \(ServiceDay.scheduled(start)) is not the trip's \(ServiceDay.scheduled(trip.start))"
            )
        }
        if let route = route(asked.route), route != trip.route {
            doubts.append("its route \(asked.route) is not the trip's")
        }
        func found(_ day: CivilDate, _ why: String) -> Found {
            .run(
                Run(
                    trip: trip, day: day, start: trip.start, why: ([why] + doubts).joined(separator: "; "),
                    isPlain: doubts.isEmpty))
        }
        if let day = asked.day, let start = asked.start, trip.start > start,
            (trip.start - start) % 86_400 == 0
        {
            // After midnight some producers give the calendar day, and the time by the clock.
            let real = day.advanced(by: (start - trip.start) / 86_400)
            let zone = feed.zone(ofRoute: trip.route)
            func away(_ day: CivilDate) -> Int {
                abs(ServiceDay.reference(day, in: zone) + trip.start - time)
            }
            // Others give the service day, and the time by the clock: the time of the message tells them apart.
            if runs(trip, on: real), !runs(trip, on: day) || away(real) <= away(day) {
                let why =
                    "trip_id; its start_date and start_time are those of the calendar: the run of \(real.text)"
                // The first doubt is about the start, which is understood.
                let others = Array(doubts.dropFirst())
                return .run(
                    Run(
                        trip: trip, day: real, start: trip.start,
                        why: ([why] + others).joined(separator: "; ")))
            }
        }
        if let day = asked.day {
            if let before = try nightBefore(day, trip, update, time) {
                doubts.append("its start_date is that of the calendar")
                return found(before, "trip_id; the run of \(before.text)")
            }
            guard runs(trip, on: day) else {
                return .none(.noRun, "trip \(trip.id) does not run on \(day.text)")
            }
            let zone = feed.zone(ofRoute: trip.route)
            let ahead = day.daysSinceEpoch - ServiceDay.date(of: time, in: zone).daysSinceEpoch
            if abs(ahead) > 1 {
                doubts.append("the run is \(abs(ahead)) days \(ahead > 0 ? "after" : "before") the update")
            }
            return found(day, "trip_id and start_date")
        }
        let calls = try calls(trip.pattern)
        let zone = feed.zone(ofRoute: trip.route)
        let reach = TransitSettings.undatedReach
        let length = (calls.last?.departure ?? 0) + reach
        // Also those of its own times, which may be of the day before.
        let times =
            [time]
            + update.stops.compactMap { $0.departure?.time ?? $0.arrival?.time }
            .filter { abs($0 - time) <= TransitSettings.undatedSpan }
        let days = ServiceDay.days(
            from: (times.min() ?? time) - reach, until: (times.max() ?? time) + reach,
            latest: max(0, trip.start + length), in: zone
        ).filter { runs(trip, on: $0) }
        let gaps = try days.map { day -> (day: CivilDate, gap: Int) in
            let start = ServiceDay.reference(day, in: zone) + trip.start
            return (day, try gap(update, calls, start: start, time))
        }.filter { $0.gap <= reach }.sorted { ($0.gap, $0.day) < ($1.gap, $1.day) }
        guard let best = gaps.first else {
            return .none(.noRun, "it has no start_date, and no run of trip \(trip.id) is near its time")
        }
        if gaps.count > 1, gaps[1].gap == best.gap {
            return .none(
                .ambiguous,
                "it has no start_date, and the runs of \(best.day.text) and \(gaps[1].day.text) fit equally well"
            )
        }
        return found(best.day, "trip_id; without start_date the run of \(best.day.text) fits its times")
    }

    /// After midnight some producers give the calendar day: the service day before, if the trip begins after midnight and does not
    /// run on the day given, or if the absolute times of the update are nearer to its run.
    private mutating func nightBefore(
        _ day: CivilDate, _ trip: TripRecord, _ update: RealtimeFeed.TripUpdate, _ time: Int
    ) throws -> CivilDate? {
        let before = day.advanced(by: -1)
        guard trip.start >= 86_400, (update.trip.start ?? trip.start) == trip.start, runs(trip, on: before)
        else { return nil }
        let calls = try calls(trip.pattern)
        let zone = feed.zone(ofRoute: trip.route)
        func miss(_ day: CivilDate) throws -> Int {
            try gap(update, calls, start: ServiceDay.reference(day, in: zone) + trip.start, time)
        }
        let least = try miss(before)
        guard least <= TransitSettings.undatedReach else { return nil }
        if !runs(trip, on: day) { return before }
        let hasTimes = update.stops.contains { ($0.departure?.time ?? $0.arrival?.time) != nil }
        return try hasTimes && least < miss(day) ? before : nil
    }

    /// The seconds by which an update misses a run: the difference of its first absolute time at one of the calls. An
    /// update about other stops alone is measured from the span of the run by its first absolute time, one without such times by
    /// the time of the message.
    private func gap(
        _ update: RealtimeFeed.TripUpdate, _ calls: [PatternCall], start: Int, _ time: Int
    ) throws -> Int {
        var best: Int?
        var first: Int?
        for stop in update.stops {
            guard let known = stop.departure?.time ?? stop.arrival?.time else { continue }
            first = first ?? known
            for call in calls where try isAt(stop, call) {
                best = min(best ?? .max, abs(known - start - call.departure))
            }
            if let best { return best }
        }
        let end = start + (calls.last?.arrival ?? 0) + max(0, update.delay ?? 0)
        let own = first ?? time
        return own < start ? start - own : own > end ? own - end : 0
    }

    private func isAt(_ update: RealtimeFeed.StopUpdate, _ call: PatternCall) throws -> Bool {
        if !update.stop.isEmpty {
            return try feed.stops.with(id: update.stop)?.number == call.stop
        }
        return update.sequence == call.feedSequence
    }

    private func runs(_ trip: TripRecord, on day: CivilDate) -> Bool {
        feed.calendar.services.find(trip.service).map { feed.services(on: day).runs[$0] } ?? false
    }

    // MARK: Runs by headway

    private mutating func headwayRun(
        _ trip: TripRecord, _ asked: RealtimeFeed.TripDescriptor, _ time: Int
    ) throws -> Found {
        guard let start = asked.start else {
            return .none(.refused, "trip \(trip.id) runs by headway: without start_time its run is unknown")
        }
        guard let day = asked.day ?? nearestDay(trip, start, time) else {
            return .none(
                .noRun, "no run of trip \(trip.id) at \(ServiceDay.scheduled(start)) is near its time")
        }
        guard runs(trip, on: day) else {
            return .none(.noRun, "trip \(trip.id) does not run on \(day.text)")
        }
        let known = try periods(trip)
        let isOnGrid = known.contains { $0.starts(at: start) }
        guard isOnGrid || known.contains(where: { !$0.isExact }) else {
            return .none(
                .noRun,
                "trip \(trip.id) has no run at \(ServiceDay.scheduled(start)), and its times are exact")
        }
        return .run(
            Run(
                trip: trip, day: day, start: start,
                why: isOnGrid
                    ? "trip_id, start_date and start_time"
                    : "trip_id and start_date; a run by headway that starts at \(ServiceDay.scheduled(start))",
                isPlain: isOnGrid, isOffGrid: !isOnGrid, isInexact: Self.isInexact(start, known)))
    }

    /// Whether a run of a headway is not one of those with exact times.
    private static func isInexact(_ start: Int, _ periods: [Period]) -> Bool {
        !periods.contains { $0.isExact && $0.starts(at: start) }
    }

    /// The service day of a start that is nearest to a time.
    private func nearestDay(_ trip: TripRecord, _ start: Int, _ time: Int) -> CivilDate? {
        let zone = feed.zone(ofRoute: trip.route)
        let today = ServiceDay.date(of: time - start, in: zone)
        return (-1...1).map { today.advanced(by: $0) }.filter { runs(trip, on: $0) }
            .map { (day: $0, gap: abs(ServiceDay.reference($0, in: zone) + start - time)) }
            .filter { $0.gap <= TransitSettings.undatedReach }
            .min { ($0.gap, $0.day) < ($1.gap, $1.day) }?.day
    }

    /// That a trip would be known with the prefix of a feed; empty otherwise.
    private func prefixHint(_ trip: String) throws -> String {
        for prefix in feed.origins.map(\.prefix) where !prefix.isEmpty {
            if try feed.trips.with(id: prefix + trip) != nil { return " (known with --prefix \(prefix))" }
        }
        return ""
    }

    // MARK: By a part of trip_id

    /// What stands between the parts of an identifier.
    private static let separators: Set<Character> = ["_", ":", "-", ".", "|", "/"]

    /// Some agencies shorten the identifiers of the timetable: the run of the route's only trip of the day whose identifier has
    /// the given one as its end, or in it between two parts.
    private mutating func byTail(_ update: RealtimeFeed.TripUpdate, _ time: Int) throws -> Run? {
        let asked = update.trip
        guard asked.trip.utf8.count >= TransitSettings.shortestTail, let day = asked.day,
            let route = route(asked.route)
        else { return nil }
        func possible(_ trips: [TripRecord]) -> [TripRecord] {
            trips.filter { trip in
                runs(trip, on: day)
                    && (asked.direction == nil || trip.direction == nil || trip.direction == asked.direction)
            }
        }
        let tails = try tails(of: route)
        var same = possible(tails[asked.trip[...]] ?? [])
        var how = "ends so"
        if same.isEmpty {
            how = "has it as a part"
            let longer = tails.keys.filter { Self.isPart(asked.trip, of: $0) }.sorted()
            var known: Set<Int64> = []
            same = possible(longer.flatMap { tails[$0] ?? [] }.filter { known.insert($0.row).inserted })
        }
        guard same.count == 1, case .run(let found) = try run(same[0], update, time) else { return nil }
        return found.doubtful(
            "trip_id \(asked.trip) is unknown; of route \(asked.route) only trip \(same[0].id) of \(day.text) \(how)"
        )
    }

    /// Whether a text begins with another that is not cut within a number or a word.
    private static func isPart(_ part: String, of text: Substring) -> Bool {
        guard text.hasPrefix(part), let last = part.last,
            let next = text.dropFirst(part.count).first
        else { return false }
        return !(last.isNumber && next.isNumber) && !(last.isLetter && next.isLetter)
    }

    /// Others put something before them, such as the agency: the run of the trip whose identifier is the rest, if its route or
    /// its agency is that of the update.
    private mutating func byHead(_ update: RealtimeFeed.TripUpdate, _ time: Int) throws -> Run? {
        let asked = update.trip
        for index in asked.trip.indices where Self.separators.contains(asked.trip[index]) {
            let id = String(asked.trip[asked.trip.index(after: index)...])
            guard !id.isEmpty, let trip = try feed.trips.with(id: id), !trip.isFrequency else { continue }
            let isOfRoute = route(asked.route) == trip.route
            guard isOfRoute || feed.routes[trip.route]?.agencyID == String(asked.trip[..<index]),
                case .run(let found) = try run(trip, update, time)
            else { return nil }
            return found.doubtful(
                "trip_id \(asked.trip) is unknown; its end is trip \(id) of the same \(isOfRoute ? "route" : "agency")"
            )
        }
        return nil
    }

    private mutating func tails(of route: Int64) throws -> [Substring: [TripRecord]] {
        if let known = tailsOfRoute[route] { return known }
        let trips = try tripsOfRoute[route] ?? feed.trips.of(route: route)
        tripsOfRoute[route] = trips
        var tails: [Substring: [TripRecord]] = [:]
        for trip in trips where !trip.isFrequency {
            tails[trip.id[...], default: []].append(trip)
            for index in trip.id.indices where Self.separators.contains(trip.id[index]) {
                tails[trip.id[trip.id.index(after: index)...], default: []].append(trip)
            }
        }
        tailsOfRoute[route] = tails
        return tails
    }

    // MARK: By route and start

    private mutating func described(
        _ asked: RealtimeFeed.TripDescriptor, _ time: Int
    ) throws -> Found {
        let unknown =
            asked.trip.isEmpty
            ? "it has no trip_id" : "trip_id \(asked.trip) is unknown" + (try prefixHint(asked.trip))
        guard let start = asked.start, !asked.route.isEmpty else {
            return .none(
                .unknownTrip, "\(unknown), and it has no \(asked.route.isEmpty ? "route_id" : "start_time")")
        }
        guard let route = route(asked.route) else {
            return .none(.unknownTrip, "\(unknown), and so is route_id \(asked.route)")
        }
        let trips = try tripsOfRoute[route] ?? feed.trips.of(route: route)
        tripsOfRoute[route] = trips
        var found: [Run] = []
        var early: [Run] = []
        for trip in trips
        where asked.direction == nil || trip.direction == nil || trip.direction == asked.direction {
            let unique = "\(unknown); it is the only run of route \(asked.route) that starts at "
            if !trip.isFrequency, trip.start == start + 86_400,
                let day = asked.day?.advanced(by: -1) ?? nearestDay(trip, trip.start, time),
                runs(trip, on: day)
            {
                // After midnight some producers give the time by the clock, and the calendar day.
                let why =
                    "\(ServiceDay.scheduled(trip.start)) on \(day.text); its start is that of the calendar"
                early.append(Run(trip: trip, day: day, start: trip.start, why: unique + why))
            }
            guard let day = asked.day ?? nearestDay(trip, start, time), runs(trip, on: day) else { continue }
            let why = unique + "\(ServiceDay.scheduled(start)) on \(day.text)"
            if trip.isFrequency {
                let known = try periods(trip)
                let isOnGrid = known.contains { $0.starts(at: start) }
                let isWithin = known.contains { !$0.isExact && ($0.start..<$0.end).contains(start) }
                guard isOnGrid || isWithin else { continue }
                found.append(
                    Run(
                        trip: trip, day: day, start: start, why: why, isOffGrid: !isOnGrid,
                        isInexact: Self.isInexact(start, known)))
            } else if trip.start == start {
                found.append(Run(trip: trip, day: day, start: start, why: why))
            }
        }
        if found.isEmpty { found = early }
        guard let first = found.first else {
            return .none(
                .noRun,
                "\(unknown), and no run of route \(asked.route) starts at \(ServiceDay.scheduled(start))"
                    + (asked.day.map { " on \($0.text)" } ?? ""))
        }
        guard found.count == 1 else {
            let names = found.map(\.trip.id).prefix(3).joined(separator: ", ")
            return .none(
                .ambiguous,
                "\(unknown), and \(found.count) runs of route \(asked.route) start at \(ServiceDay.scheduled(start)): \(names)"
            )
        }
        return .run(first)
    }
}
