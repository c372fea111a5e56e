import CivilTime
import Geodesy
import PluginKit

/// A query for journeys.
struct JourneyRequest: Sendable {
    var from: Coordinate
    var to: Coordinate
    /// Seconds since 1970: the earliest departure, or with `isArrival` the latest arrival.
    var time: Int
    var isArrival = false
    /// The day asked: times of other days are written with their day.
    var day: CivilDate?
    /// The latest departure of a range.
    var until: Int?
    /// With `isArrival`: only journeys that leave later are searched.
    var after: Int?
    /// Without `isArrival`: only journeys that arrive earlier are searched.
    var before: Int?
    /// The span of the runs to search; derived from the time if not given.
    var span: Range<Int>?
    var changes = JourneySettings.changes
    /// The longest straight-line distance to the first stop and from the last one, in metres.
    var walk = JourneySettings.walk
    var needsWheelchair = false
    /// With `needsWheelchair`: whether vehicles with unknown access are allowed; they are marked.
    var allowsUnknownAccess = false
}

/// The journeys found, earliest first.
struct JourneyPlan: Sendable {
    var journeys: [TransitJourney]
    /// Notes about the result.
    var notes: [String]
}

/// Finds journeys in a timetable.
package struct JourneyPlanner {
    let feed: Feed

    package init(_ feed: Feed) { self.feed = feed }

    /// The number of journeys between two coordinates by the schedule, for measuring.
    package func count(from: Coordinate, to: Coordinate, at time: Int) throws -> Int {
        var none = NoTrace()
        let request = JourneyRequest(from: from, to: to, time: time)
        return try journeys(request, live: nil, into: &none).journeys.count
    }

    /// The network of journeys, built on first use.
    func network(needsWheelchair: Bool) throws -> JourneyNetwork {
        if let known = feed.journeyNetwork.withLock({ $0[needsWheelchair] }) { return known }
        let made = try JourneyNetwork(feed, needsWheelchair: needsWheelchair)
        feed.journeyNetwork.withLock { $0[needsWheelchair] = made }
        return made
    }

    /// The runs for a time span; those of the last query are cached.
    func days(
        from: Int, until end: Int, snapshot: RealtimeSnapshot?, needsWheelchair: Bool, allowsUnknown: Bool,
        isBackwards: Bool
    ) throws -> JourneyDays {
        // Whole days, so that queries of the same day share their runs. Runs may be hours late, and clocks
        // change.
        let reach = TransitSettings.mostLateness
        let first = ServiceDay.reference(ServiceDay.date(of: from, in: feed.zone), in: feed.zone) - reach
        let last =
            ServiceDay.reference(ServiceDay.date(of: end, in: feed.zone).advanced(by: 1), in: feed.zone)
            + reach
        let key = JourneyDaysKey(
            from: first, until: last, snapshot: snapshot,
            needsWheelchair: needsWheelchair, allowsUnknown: allowsUnknown,
            isBackwards: isBackwards)
        if let known = feed.journeyDays.withLock({ $0[isBackwards] }), known.key == key { return known.days }
        var made = try JourneyDays(
            network(needsWheelchair: needsWheelchair), feed, from: first, until: last, snapshot: snapshot,
            needsWheelchair: needsWheelchair, allowsUnknown: allowsUnknown)
        if isBackwards { made = made.reversed }
        let kept = made
        feed.journeyDays.withLock { $0[isBackwards] = (key, kept) }
        return made
    }

    /// The journeys between two coordinates that are Pareto-optimal in departure, arrival and number of changes.
    func journeys(
        _ request: JourneyRequest, live view: RealtimeView?, walks: StreetWalks? = nil,
        into trace: inout some TraceRecorder, isTraced: Bool = false, within reach: Raptor.Reach? = nil
    ) throws -> JourneyPlan {
        let network = try network(needsWheelchair: request.needsWheelchair)
        let (starts, ends) = (
            try accesses(request, network, isStart: true, walks),
            try accesses(request, network, isStart: false, walks)
        )
        let (origins, targets) = (Self.sorted(starts), Self.sorted(ends))
        let metres = request.from.distance(to: request.to)
        let wholeWay = StreetWalks.Pair(from: StreetWalks.Pair.start, to: StreetWalks.Pair.destination)
        let direct =
            metres <= request.walk
            ? Int(walks?.seconds(wholeWay, metres) ?? JourneySettings.seconds(metres)) : nil
        let window = JourneySettings.window
        let span =
            request.span
            ?? (request.isArrival
                ? request.time - window..<request.time
                : request.time..<(request.until ?? request.time) + window)
        var days = try days(
            from: span.lowerBound, until: span.upperBound, snapshot: view?.usable,
            needsWheelchair: request.needsWheelchair, allowsUnknown: request.allowsUnknownAccess,
            isBackwards: request.isArrival)
        if let walks { days.follow(walks) }
        var names = JourneyNames(routes: feed.routes, isBackwards: request.isArrival)
        if isTraced {
            names.coordinates = network.coordinates
            let titles = Dictionary(
                try feed.stops.rows(network.numbers).map { ($0.number, $0.title) },
                uniquingKeysWith: { first, _ in first })
            names.stops = network.numbers.map { titles[$0] ?? "" }
        }
        var memory = feed.journeyMemory.withLock { $0.popLast() }
        var raptor = Raptor(
            days, to: request.isArrival ? origins : targets, changes: request.changes, direct: direct,
            bound: request.isArrival ? request.after.map { -$0 } : request.before, within: reach,
            memory: &memory)
        // A failed search leaves labels behind: its memory is not reused.
        var found: [Raptor.Found] = []
        for start in moments(request, origins, days) {
            found += try raptor.search(
                from: request.isArrival ? targets : origins, at: request.isArrival ? -start : start,
                into: &trace, names)
        }
        let made = try JourneyMaker(
            feed: feed, network: network, days: days, request: request,
            origins: starts, targets: ends, streets: walks, alerts: view.map { ServiceAlerts(feed, $0) }
        ).journeys(found)
        var kept = made.filter { journey in
            request.until.map { journey.departs <= $0 } ?? (journey.arrives - request.time <= window)
        }
        if request.isArrival {
            if request.after == nil { kept = try kept.map { try earliest($0, request, view, walks, span) } }
        } else if request.until == nil, request.before == nil {
            kept = try kept.map {
                try latest($0, request, view, walks, raptor.reach(rides: $0.rides, end: $0.arrives))
            }
        }
        let released = raptor.release()
        feed.journeyMemory.withLock { if $0.count < JourneySettings.memories { $0.append(released) } }
        let best = Self.onOneAxis(Self.pareto(kept))
        return JourneyPlan(
            journeys: best,
            notes: try notes(network, origins, targets, days, request, span, view, walks, best))
    }

    /// The journeys with the time span of all of them, which their diagrams share.
    private static func onOneAxis(_ journeys: [TransitJourney]) -> [TransitJourney] {
        guard let first = journeys.map(\.departs).min(), let last = journeys.map(\.arrives).max(),
            first <= last
        else { return journeys }
        return journeys.map { journey in
            var journey = journey
            journey.span = first...last
            return journey
        }
    }

    /// The journey with the same arrival and number of changes that departs latest, so that no time is
    /// spent waiting.
    private func latest(
        _ journey: TransitJourney, _ request: JourneyRequest, _ view: RealtimeView?, _ walks: StreetWalks?,
        _ reach: Raptor.Reach?
    ) throws -> TransitJourney {
        guard journey.rides > 0 else { return journey }
        var back = request
        (back.isArrival, back.time, back.changes) = (true, journey.arrives, journey.rides - 1)
        back.after = journey.departs
        // The runs of the forward search, reused for the day.
        back.span = request.time..<request.time + JourneySettings.window
        var none = NoTrace()
        let found = try journeys(back, live: view, walks: walks, into: &none, within: reach).journeys
        guard let later = found.max(by: { $0.departs < $1.departs }), later.departs > journey.departs else {
            return journey
        }
        return later
    }

    /// The journey with the same departure and number of changes that arrives earliest: the search for a
    /// latest departure boards the last run that is in time.
    private func earliest(
        _ journey: TransitJourney, _ request: JourneyRequest, _ view: RealtimeView?, _ walks: StreetWalks?,
        _ span: Range<Int>
    ) throws -> TransitJourney {
        guard journey.rides > 0 else { return journey }
        var forward = request
        (forward.isArrival, forward.time, forward.changes) = (false, journey.departs, journey.rides - 1)
        forward.before = journey.arrives
        // The runs of the backward search.
        forward.span = span
        var none = NoTrace()
        let found = try journeys(forward, live: view, walks: walks, into: &none).journeys
        guard let better = found.min(by: { $0.arrives < $1.arrives }), better.arrives < journey.arrives else {
            return journey
        }
        return better
    }

    /// The instants at which searches begin, latest first: one, or in a range those at which a journey can
    /// begin.
    private func moments(_ request: JourneyRequest, _ origins: [Raptor.Access], _ days: JourneyDays) -> [Int]
    {
        guard let until = request.until, !request.isArrival else { return [request.time] }
        var starts: Set<Int> = [request.time]
        for origin in origins {
            for call in days.calls(at: origin.stop) {
                let line = days.lines[Int(call.line)]
                guard line.boards[Int(call.position)] else { continue }
                for start in line.starts {
                    let leaves = start + line.departures[Int(call.position)] - origin.seconds
                    if leaves >= request.time, leaves <= until { starts.insert(leaves) }
                }
            }
        }
        return starts.sorted(by: >)
    }

    /// The stops at which journeys from the start of a request begin.
    func origins(of request: JourneyRequest) throws -> [Raptor.Access] {
        let network = try network(needsWheelchair: request.needsWheelchair)
        return Self.sorted(try accesses(request, network, isStart: true, nil))
    }

    private static func sorted(_ accesses: [Int: JourneyAccess]) -> [Raptor.Access] {
        accesses.map { (stop: $0.key, seconds: $0.value.seconds) }.sorted { $0.stop < $1.stop }
    }

    /// The stops within walking distance of the start or the destination, through the doors of their
    /// stations. A stop as start or destination stands for all of its platforms.
    private func accesses(
        _ request: JourneyRequest, _ network: JourneyNetwork, isStart: Bool, _ walks: StreetWalks?
    ) throws -> [Int: JourneyAccess] {
        let place = isStart ? request.from : request.to
        var found: [Int: JourneyAccess] = [:]
        for near in network.grid.near(place, request.walk) {
            let door = network.doors[near.index]
            guard let within = isStart ? door.inward : door.outward else { continue }
            let pair =
                isStart
                ? StreetWalks.Pair(from: StreetWalks.Pair.start, to: Int32(near.index))
                : StreetWalks.Pair(from: Int32(near.index), to: StreetWalks.Pair.destination)
            let outside = walks?.seconds(pair, near.metres) ?? JourneySettings.seconds(near.metres)
            let access = JourneyAccess(seconds: Int(outside + within), pair: pair)
            if access.seconds < found[Int(door.stop)]?.seconds ?? .max { found[Int(door.stop)] = access }
        }
        for same in try feed.stops.near(
            place, radius: JourneySettings.same, limit: TransitSettings.regionLimit
        )
        .stops {
            for part in try feed.stops.parts(of: same.stop) {
                if let stop = network.index[part] { found[Int(stop)] = JourneyAccess(seconds: 0, pair: nil) }
            }
        }
        let stops = network.numbers.count - network.places.count
        for (index, place) in network.places.enumerated() {
            if let access = found[Int(place.stop)] { found[stops + index] = access }
        }
        return found
    }

    /// The Pareto-optimal journeys; of equal ones the first.
    static func pareto(_ journeys: [TransitJourney]) -> [TransitJourney] {
        let sorted = journeys.sorted {
            ($0.arrives, $0.rides, -$0.departs) < ($1.arrives, $1.rides, -$1.departs)
        }
        var kept: [TransitJourney] = []
        for journey in sorted
        where !kept.contains(where: { $0.departs >= journey.departs && $0.rides <= journey.rides }) {
            kept.append(journey)
        }
        return kept.sorted { ($0.departs, $0.arrives, $0.rides) < ($1.departs, $1.arrives, $1.rides) }
    }

    /// The days on which a result depends: without journeys all that were searched, else the one asked and
    /// those of its rides.
    private func resultDays(
        _ request: JourneyRequest, _ span: Range<Int>, _ journeys: [TransitJourney]
    ) -> ClosedRange<CivilDate> {
        guard !journeys.isEmpty else {
            return ServiceDay.date(
                of: span.lowerBound, in: feed.zone)...ServiceDay.date(of: span.upperBound - 1, in: feed.zone)
        }
        let asked = request.day ?? ServiceDay.date(of: request.time, in: feed.zone)
        let days = journeys.flatMap { $0.legs.compactMap(\.ride?.day) } + [asked]
        return (days.min() ?? asked)...(days.max() ?? asked)
    }

    /// Whether trips call at any of some stops: of the timetable, or on these days of messages.
    func isServed(_ accesses: [Raptor.Access], _ days: JourneyDays, _ network: JourneyNetwork) -> Bool {
        accesses.contains { network.isServed($0.stop) || !days.calls(at: $0.stop).isEmpty }
    }

    private func notes(
        _ network: JourneyNetwork, _ origins: [Raptor.Access], _ targets: [Raptor.Access],
        _ days: JourneyDays,
        _ request: JourneyRequest, _ span: Range<Int>,
        _ view: RealtimeView?, _ walks: StreetWalks?, _ journeys: [TransitJourney]
    ) throws -> [String] {
        let isEmpty = journeys.isEmpty
        var notes: [String] = []
        let walk = Literal.inMessage(.metres(request.walk))
        let (starts, ends) = (isServed(origins, days, network), isServed(targets, days, network))
        func unserved(_ accesses: [Raptor.Access], _ end: String) -> String {
            let isStop = accesses.contains { $0.seconds == 0 }
            return (isStop ? "no trip calls at the stop of the \(end), and " : "")
                + "no stop with trips lies within \(walk) of the \(end); --walk allows more"
        }
        if !starts { notes.append(unserved(origins, "start")) }
        if !ends { notes.append(unserved(targets, "destination")) }
        if isEmpty, starts, ends {
            let hours = Literal.duration(Double(JourneySettings.window))
            let bounds =
                try request.until.map {
                    let zone = try feed.stops.zone(near: request.from)
                    let day = request.day ?? ServiceDay.date(of: request.time, in: zone)
                    return " that departs until \(ServiceDay.clock($0, in: zone, unless: day))"
                } ?? " within \(hours)"
            notes.append("no journey with \(request.changes) changes or fewer\(bounds)")
            for (accesses, end) in [(origins, "start"), (targets, "destination")]
            where request.needsWheelchair && accesses.allSatisfy({ network.isClosed($0.stop) }) {
                notes.append("no stop of the \(end) is accessible for wheelchairs")
            }
        }
        // A search within another one has its span.
        if request.span == nil {
            let day = request.day ?? ServiceDay.date(of: request.time, in: feed.zone)
            notes += try RequestNotes(feed).rides(request, on: day)
        }
        let routes = journeys.flatMap { $0.legs.compactMap { $0.ride?.route } }
        notes += feed.coverage.notes(
            resultDays(request, span, journeys), routes: isEmpty ? nil : routes)
        notes += [feed.setAside.note].compactMap { $0 } + feed.zoneNotes(routes.map(\.agency))
        if feed.skippedTransferRules > 0 {
            let count = feed.skippedTransferRules
            notes.append(
                "\(count, of: "rule") of transfers.txt for unknown routes or trips "
                    + (count == 1 ? "is not used" : "are not used"))
        }
        if request.needsWheelchair, days.unknownWheelchair > 0 {
            notes.append(
                "\(days.unknownWheelchair) runs with unknown wheelchair access are skipped, --unknown-access allows them; stops with unknown access are used"
            )
        }
        notes += try brokenStays(days, journeys)
        if let view { notes.append(view.note(in: feed.zone, of: feed)) }
        if let snapshot = view?.usable, let note = try LiveTimetableMaker.timetable(feed, snapshot).note {
            notes.append(note)
        }
        if !isEmpty {
            switch walks {
            case nil: notes.append("walks are estimated from straight lines")
            case let walks? where walks.estimated > 0:
                notes.append(
                    "walks follow streets; \(walks.estimated) of \(walks.known.count) requested walks have no street and are "
                        + "estimated from straight lines")
            default: notes.append("walks follow streets")
            }
            if walks != nil, request.needsWheelchair {
                notes.append("the wheelchair access of streets is unknown")
            }
        }
        return notes
    }
}

extension JourneyPlanner {
    /// Next trips of vehicles in which riders cannot stay seated as messages have it: those of trips that are ridden, without
    /// journeys the first.
    fileprivate func brokenStays(_ days: JourneyDays, _ journeys: [TransitJourney]) throws -> [String] {
        guard !days.brokenStays.isEmpty else { return [] }
        let ridden = Set(journeys.flatMap { $0.legs.compactMap { $0.ride?.trip } })
        var found: [String] = []
        for stay in days.brokenStays where found.count < TransitSettings.listedReasons {
            guard let from = try feed.trips.with(row: stay.from), let to = try feed.trips.with(row: stay.to),
                journeys.isEmpty || ridden.contains(from.id) || ridden.contains(to.id)
            else { continue }
            let zone = feed.zone(ofRoute: from.route)
            let why =
                switch stay.reason {
                case .leaves(let leaves, before: let arrives):
                    "the one arrives at \(ServiceDay.clock(arrives, in: zone)), and the other leaves at "
                        + ServiceDay.clock(leaves, in: zone)
                case .apart: "the one does not end, or the other does not begin, at the stop where they meet"
                }
            found.append(
                "staying seated from trip \(from.id) to \(to.id) is not offered: by the messages \(why)")
        }
        return found
    }
}

/// The walk to a stop from the start, or from a stop to the destination.
struct JourneyAccess: Sendable {
    var seconds: Int
    /// Its part on streets; `nil` if the stop itself is the start or destination.
    var pair: StreetWalks.Pair?
}

/// The key of the cached runs.
struct JourneyDaysKey: Sendable, Equatable {
    var from: Int
    var until: Int
    var snapshot: RealtimeSnapshot?
    var needsWheelchair: Bool
    var allowsUnknown = false
    var isBackwards: Bool

    static func == (left: JourneyDaysKey, right: JourneyDaysKey) -> Bool {
        left.from == right.from && left.until == right.until && left.snapshot === right.snapshot
            && left.needsWheelchair == right.needsWheelchair && left.allowsUnknown == right.allowsUnknown
            && left.isBackwards == right.isBackwards
    }
}
