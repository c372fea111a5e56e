import CivilTime
import Geodesy
import PluginKit

/// What is asked of a journey.
struct JourneyRequest: Sendable {
    var from: Coordinate
    var to: Coordinate
    /// Seconds since 1970: the earliest departure, or with `isArrival` the latest arrival.
    var time: Int
    var isArrival = false
    /// The latest departure of a range.
    var until: Int?
    var changes = JourneySettings.changes
    /// The longest walk to the first stop and from the last one, metres along a straight line.
    var walk = JourneySettings.walk
    var needsWheelchair = false
}

/// The journeys found, best first in time.
struct JourneyPlan: Sendable {
    var journeys: [Journey]
    /// What to know about them.
    var notes: [String]
}

extension Feed {
    /// The network of journeys; made when first needed.
    var network: JourneyNetwork {
        get throws {
            if let known = journeyNetwork.withLock({ $0 }) { return known }
            let made = try JourneyNetwork(self)
            journeyNetwork.withLock { $0 = made }
            return made
        }
    }

    /// The runs for a span of time; those of the last question are kept.
    private func days(
        from: Int, until end: Int, snapshot: RealtimeSnapshot?, needsWheelchair: Bool, isBackwards: Bool
    ) throws -> JourneyDays {
        // Whole days, so that questions of the same day have the same runs.
        let first = ServiceDay.reference(ServiceDay.date(of: from, in: zone), in: zone) - 7200
        let last = ServiceDay.reference(ServiceDay.date(of: end, in: zone).advanced(by: 1), in: zone) + 7200
        let key = JourneyDaysKey(
            from: first, until: last, snapshot: snapshot,
            needsWheelchair: needsWheelchair,
            isBackwards: isBackwards)
        if let known = journeyDays.withLock({ $0[isBackwards] }), known.key == key { return known.days }
        var made = try JourneyDays(
            network, self, from: first, until: last, snapshot: snapshot, needsWheelchair: needsWheelchair)
        if isBackwards { made = made.reversed }
        let kept = made
        journeyDays.withLock { $0[isBackwards] = (key, kept) }
        return made
    }

    /// The journeys between two places that no other beats in departure, arrival and number of changes.
    func journeys(
        _ request: JourneyRequest, live view: RealtimeView?, into trace: inout some TraceRecorder,
        isTraced: Bool = false
    ) throws -> JourneyPlan {
        let network = try network
        let origins = try accesses(request.from, request, network)
        let targets = try accesses(request.to, request, network)
        let metres = request.from.distance(to: request.to)
        let direct = metres <= request.walk ? Int(JourneySettings.seconds(metres)) : nil
        let window = JourneySettings.window
        let span =
            request.isArrival
            ? request.time - window..<request.time
            : request.time..<(request.until ?? request.time) + window
        let days = try days(
            from: span.lowerBound, until: span.upperBound, snapshot: view?.usable,
            needsWheelchair: request.needsWheelchair, isBackwards: request.isArrival)
        var names = JourneyNames(routes: routes, isBackwards: request.isArrival)
        if isTraced {
            let titles = Dictionary(
                try stops(network.numbers).map { ($0.number, $0.title) },
                uniquingKeysWith: { first, _ in first })
            names.stops = network.numbers.map { titles[$0] ?? "" }
        }
        var raptor = Raptor(
            days, to: request.isArrival ? origins : targets, changes: request.changes, direct: direct)
        var found: [Raptor.Found] = []
        for start in starts(request, origins, days) {
            found += try raptor.search(
                from: request.isArrival ? targets : origins, at: request.isArrival ? -start : start,
                into: &trace, names)
        }
        let made = try JourneyMaker(
            feed: self, network: network, days: days, request: request,
            origins: Dictionary(origins.map { ($0.stop, $0.seconds) }, uniquingKeysWith: min),
            targets: Dictionary(targets.map { ($0.stop, $0.seconds) }, uniquingKeysWith: min)
        ).journeys(found)
        var kept = made.filter { $0.arrives - request.time <= window || request.until != nil }
        if !request.isArrival, request.until == nil { kept = try kept.map { try latest($0, request, view) } }
        return JourneyPlan(
            journeys: Self.pareto(kept),
            notes: notes(origins, targets, days, request, view, isEmpty: made.isEmpty))
    }

    /// The journey that arrives as early with as few changes and begins latest: nobody leaves early to wait.
    private func latest(_ journey: Journey, _ request: JourneyRequest, _ view: RealtimeView?) throws
        -> Journey
    {
        guard journey.rides > 0 else { return journey }
        var back = request
        (back.isArrival, back.time, back.changes) = (true, journey.arrives, journey.rides - 1)
        var none = NoTrace()
        let found = try journeys(back, live: view, into: &none).journeys
        guard let later = found.max(by: { $0.departs < $1.departs }), later.departs > journey.departs else {
            return journey
        }
        var better = later
        better.span = journey.span
        return better
    }

    /// The moments from which a search begins, the latest first: one, or in a range those at which a journey can begin.
    private func starts(_ request: JourneyRequest, _ origins: [Raptor.Access], _ days: JourneyDays) -> [Int] {
        guard let until = request.until, !request.isArrival else { return [request.time] }
        var starts: Set<Int> = [request.time]
        for origin in origins {
            for (number, position) in days.linesAt[origin.stop] {
                let line = days.lines[Int(number)]
                guard line.boards[Int(position)] else { continue }
                for start in line.starts {
                    let leaves = start + line.departures[Int(position)] - origin.seconds
                    if leaves >= request.time, leaves <= until { starts.insert(leaves) }
                }
            }
        }
        return starts.sorted(by: >)
    }

    /// The stops within a walk of a place, with the seconds of the walk. A place that is a stop is all of its platforms.
    private func accesses(
        _ place: Coordinate, _ request: JourneyRequest, _ network: JourneyNetwork
    ) throws -> [Raptor.Access] {
        var found: [Int: Int] = [:]
        for near in network.grid.near(place, request.walk) {
            found[near.stop] = Int(JourneySettings.seconds(near.metres))
        }
        for same in try stops(near: place, radius: JourneySettings.same, limit: TransitSettings.regionLimit)
            .stops
        {
            for part in try parts(of: same.stop) {
                if let stop = network.index[part] { found[Int(stop)] = 0 }
            }
        }
        if request.needsWheelchair {
            let records = try stops(found.keys.map { network.numbers[$0] })
            for record in records where record.wheelchair == 2 {
                if let stop = network.index[record.number] { found[Int(stop)] = nil }
            }
        }
        return found.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }.map { (stop: $0.0, seconds: $0.1) }
    }

    /// The journeys that none of the others beats; of equals the first.
    static func pareto(_ journeys: [Journey]) -> [Journey] {
        let sorted = journeys.sorted {
            ($0.arrives, $0.rides, -$0.departs) < ($1.arrives, $1.rides, -$1.departs)
        }
        var kept: [Journey] = []
        for journey in sorted
        where !kept.contains(where: { $0.departs >= journey.departs && $0.rides <= journey.rides }) {
            kept.append(journey)
        }
        return kept.sorted { ($0.departs, $0.arrives, $0.rides) < ($1.departs, $1.arrives, $1.rides) }
    }

    private func notes(
        _ origins: [Raptor.Access], _ targets: [Raptor.Access], _ days: JourneyDays,
        _ request: JourneyRequest,
        _ view: RealtimeView?, isEmpty: Bool
    ) -> [String] {
        var notes: [String] = []
        let walk = Literal.quantity(.metres(request.walk))
        if origins.isEmpty { notes.append("no stop lies within \(walk) of the start; --walk allows more") }
        if targets.isEmpty {
            notes.append("no stop lies within \(walk) of the destination; --walk allows more")
        }
        if isEmpty, !origins.isEmpty, !targets.isEmpty {
            let hours = Literal.duration(Double(JourneySettings.window))
            notes.append("no journey with \(request.changes) changes or fewer within \(hours)")
        }
        if request.needsWheelchair, days.unknownWheelchair > 0 {
            notes.append(
                "\(days.unknownWheelchair) runs about which the feed says nothing are left out; stops about which it says nothing are used"
            )
        }
        if let view { notes.append(view.note(in: zone)) }
        if !isEmpty { notes.append("walks are estimated from straight lines") }
        return notes
    }
}

/// What the runs that are kept were made for.
struct JourneyDaysKey: Sendable, Equatable {
    var from: Int
    var until: Int
    var snapshot: RealtimeSnapshot?
    var needsWheelchair: Bool
    var isBackwards: Bool

    static func == (left: JourneyDaysKey, right: JourneyDaysKey) -> Bool {
        left.from == right.from && left.until == right.until && left.snapshot === right.snapshot
            && left.needsWheelchair == right.needsWheelchair && left.isBackwards == right.isBackwards
    }
}
