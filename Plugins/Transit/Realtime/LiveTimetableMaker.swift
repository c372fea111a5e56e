import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Makes the runs of a message: finds the run of each update, of several updates of a run takes the newest,
/// and gives each run its calls.
struct LiveTimetableMaker {
    let feed: Feed
    let snapshot: RealtimeSnapshot
    var matcher: UpdateMatcher
    var stopsByID: [String: StopRecord?] = [:]
    var stopsByNumber: [Int64: StopRecord] = [:]
    /// The calls of patterns with the identifiers of their stops; the times are of some run.
    var callsOfPattern: [Int64: [UpdatedCalls.Call]] = [:]
    /// The stops that the message brings along, by their identifiers.
    let brought: [String: MessageStop]
    var runs: [LiveRun] = []
    var verdicts: [UpdateVerdict?]
    /// The detours of runs, as indices of the message's detours, in order.
    var detours: [LiveRun.Key: [Int]] = [:]
    var detourVerdicts: [UpdateVerdict] = []
    /// What positions say of runs without updates.
    var positionVerdicts: [UpdateVerdict] = []
    /// The runs of which it is said what their detours became.
    var toldDetours: Set<LiveRun.Key> = []

    private init(_ feed: Feed, _ snapshot: RealtimeSnapshot) {
        (self.feed, self.snapshot) = (feed, snapshot)
        matcher = UpdateMatcher(feed)
        brought = Dictionary(
            snapshot.feed.stops.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        verdicts = Array(repeating: nil, count: snapshot.feed.updates.count)
    }

    /// The runs of a message, made once.
    static func timetable(_ feed: Feed, _ snapshot: RealtimeSnapshot) throws -> LiveTimetable {
        if let known = feed.liveTimetable.withLock({ $0 }), known.snapshot === snapshot {
            return known.timetable
        }
        var maker = LiveTimetableMaker(feed, snapshot)
        let made = try maker.make()
        feed.liveTimetable.withLock { $0 = (snapshot, made) }
        return made
    }

    private mutating func make() throws -> LiveTimetable {
        try findDetours()
        var matched: [LiveRun.Key: [(index: Int, run: UpdateMatcher.Run)]] = [:]
        var order: [LiveRun.Key] = []
        for (index, update) in snapshot.feed.updates.enumerated() {
            try Interruption.check()
            if let unknown = update.trip.unknownRelationship {
                reject(index, .refused, "schedule_relationship \(unknown) is unknown")
                continue
            }
            if let unreadable = update.unreadable {
                reject(index, .refused, unreadable)
                continue
            }
            switch update.trip.relationship {
            case .added, .new: try add(index)
            case .duplicated: try copy(index)
            case .scheduled, .unscheduled, .canceled, .replacement, .deleted:
                switch try matcher.find(update, at: update.time ?? snapshot.time) {
                case .none(let outcome, let why): reject(index, outcome, why)
                case .run(let run):
                    let key = LiveRun.Key(trip: run.trip.row, day: run.day, start: run.start)
                    if matched[key] == nil { order.append(key) }
                    matched[key, default: []].append((index, run))
                }
            }
        }
        for key in order { try apply(matched[key] ?? [], to: key) }
        // Also those whose updates are refused.
        try addDetouredRuns()
        try takeProgress()
        try BlockDelays(feed).derive(&runs)
        try takeVehicles()
        return LiveTimetable(
            runs: runs, verdicts: verdicts.compactMap { $0 } + detourVerdicts + positionVerdicts + outdated(),
            parts: try partsOfStations())
    }

    // MARK: Verdicts

    func verdict(
        _ update: RealtimeFeed.TripUpdate, _ outcome: UpdateVerdict.Outcome, _ why: String, run: String?,
        isNotable: Bool
    ) -> UpdateVerdict {
        UpdateVerdict(
            update: update.id, trip: update.trip.trip,
            relationship: update.trip.unknownRelationship.map { "\($0)" }
                ?? "\(update.trip.relationship)".uppercased(),
            outcome: outcome, why: why, run: run, isNotable: isNotable)
    }

    mutating func reject(_ index: Int, _ outcome: UpdateVerdict.Outcome, _ why: String) {
        verdicts[index] = verdict(snapshot.feed.updates[index], outcome, why, run: nil, isNotable: true)
    }

    mutating func accept(_ index: Int, _ run: LiveRun, _ why: String, isNotable: Bool) {
        verdicts[index] = verdict(
            snapshot.feed.updates[index], .applied, why,
            run: "\(run.trip) of \(run.day.text) \(ServiceDay.scheduled(run.start))", isNotable: isNotable)
    }

    func outdated() -> [UpdateVerdict] {
        snapshot.outdated.map { update in
            verdict(
                update, .outdated,
                "its progress was measured at \(RealtimeView.moment(update.time ?? snapshot.time, feed.zone))",
                run: nil, isNotable: true)
        }
    }

    // MARK: Runs of the timetable

    /// Applies the newest of the updates of a run.
    mutating func apply(
        _ found: [(index: Int, run: UpdateMatcher.Run)], to key: LiveRun.Key
    ) throws {
        func time(_ index: Int) -> Int { snapshot.feed.updates[index].time ?? snapshot.time }
        guard let newest = found.map({ time($0.index) }).max() else { return }
        let best = found.filter { time($0.index) == newest }
        guard let first = best.first else { return }
        for other in found where time(other.index) < newest {
            reject(
                other.index, .superseded,
                "update \(snapshot.feed.updates[first.index].id) of the same run is newer")
        }
        for other in best.dropFirst() {
            reject(
                other.index, .superseded,
                "update \(snapshot.feed.updates[first.index].id) of the same run has the same time")
        }
        if best.dropFirst().contains(where: { !isSame($0.index, first.index) }) {
            // Nobody should wait for a run that may be cancelled.
            if let cancelled = best.first(where: {
                snapshot.feed.updates[$0.index].trip.relationship == .canceled
            }) {
                let id = snapshot.feed.updates[cancelled.index].id
                for update in best where update.index != cancelled.index {
                    reject(update.index, .refused, "update \(id) of the same run, as new, cancels it")
                }
                let doubt = "another update of the run, as new, does not cancel it"
                try apply(cancelled.index, cancelled.run.doubtful(doubt), key)
                return
            }
            for update in best {
                reject(
                    update.index, .refused,
                    "two updates of one run, as new as each other, contradict each other")
            }
            return
        }
        try apply(first.index, first.run, key)
    }

    func isSame(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (snapshot.feed.updates[left], snapshot.feed.updates[right])
        return a.trip.relationship == b.trip.relationship && a.delay == b.delay && a.stops == b.stops
            && a.wheelchair == b.wheelchair
    }

    mutating func apply(_ index: Int, _ found: UpdateMatcher.Run, _ key: LiveRun.Key) throws {
        let update = snapshot.feed.updates[index]
        var run = try planned(found.trip, found.day, found.start)
        (run.update, run.time) = (update.id, update.time ?? snapshot.time)
        run.wheelchair = update.wheelchair
        if found.isOffGrid {
            (run.kind, run.isExtra) = (.added, true)
        } else if let own = detours[key] {
            try takeDetours(own, &run)
            if run.kind == .cancelled, ![.deleted, .replacement].contains(update.trip.relationship) {
                runs.append(run)
                accept(index, run, "\(found.why); its detour leaves fewer than two calls", isNotable: true)
                return
            }
        }
        switch update.trip.relationship {
        case .deleted:
            run.kind = .deleted
            runs.append(run)
            accept(index, run, found.why, isNotable: !found.isPlain)
            return
        case .replacement:
            var doubts = update.timeDoubt.map { [$0] } ?? []
            guard let calls = try ownCalls(update, kind: .changed, &doubts) else {
                reject(index, .refused, doubts.joined(separator: "; "))
                return
            }
            (run.calls, run.kind) = (calls, .changed)
            runs.append(run)
            accept(
                index, run, ([found.why] + doubts).joined(separator: "; "),
                isNotable: !found.isPlain || !doubts.isEmpty)
            return
        case .scheduled, .unscheduled, .canceled, .added, .duplicated, .new: break
        }
        if update.trip.relationship == .canceled { run.kind = .cancelled }
        var doubts = update.timeDoubt.map { [$0] } ?? []
        if let why = try predict(&run, update, &doubts) {
            reject(index, .refused, why)
            return
        }
        run.markSkippedEnd()
        if found.isOffGrid {
            // Runs by headway have no planned times from which they could be late.
            for call in run.calls.indices where run.calls[call].live?.kind == .predicted {
                let own = run.calls[call]
                (run.calls[call].arrival, run.calls[call].departure) = (
                    own.expectedArrival, own.expectedDeparture
                )
                run.calls[call].live?.kind = .added
            }
        } else if found.isInexact {
            let isDelayed =
                (update.delay ?? 0) != 0
                || update.stops.flatMap { [$0.arrival, $0.departure] }.contains {
                    ($0?.delay ?? 0) != 0 && $0?.time == nil
                }
            if isDelayed { doubts.append("its trip has no exact times, so its delays are doubtful") }
            for call in run.calls.indices { run.calls[call].live?.isInexact = true }
        }
        runs.append(run)
        accept(
            index, run, ([found.why] + doubts).joined(separator: "; "),
            isNotable: !found.isPlain || !doubts.isEmpty)
    }

    /// A run as the timetable has it.
    mutating func planned(_ trip: TripRecord, _ day: CivilDate, _ start: Int) throws -> LiveRun {
        let base = ServiceDay.reference(day, in: feed.zone(ofRoute: trip.route)) + start
        let calls = try matcher.calls(trip.pattern).map { call in
            LiveRun.Call(
                stop: call.stop, sequence: call.sequence, arrival: base + call.arrival,
                departure: base + call.departure, pickup: call.pickup, dropOff: call.dropOff)
        }
        return LiveRun(
            kind: .updated, trip: trip.id, row: trip.row, pattern: trip.pattern, route: trip.route, day: day,
            start: start, calls: calls, update: "", time: snapshot.time)
    }

    /// Applies the predictions of an update to a run; returns why they are refused.
    mutating func predict(
        _ run: inout LiveRun, _ update: RealtimeFeed.TripUpdate, _ doubts: inout [String]
    ) throws -> String? {
        let calls = try calls(of: run)
        var stations: [String: String] = [:]
        for id in update.stops.map(\.stop) where !id.isEmpty { stations[id] = try stop(id)?.parent }
        switch UpdatedCalls.apply(update, to: calls, station: { stations[$0] }) {
        case .refused(let why): return why
        case .applied(let live, let updates, let found):
            doubts += found
            for (index, own) in updates.enumerated() {
                guard let own else { continue }
                doubts += run.calls[index].take(own.properties, at: calls[index].stop)
            }
            for (index, own) in live.enumerated() {
                // What a detour says of a call stays, unless the update says more.
                guard let own else { continue }
                let isChanged = run.calls[index].live?.kind == .changed
                run.calls[index].live = own
                if isChanged, own.kind == .predicted { run.calls[index].live?.kind = .changed }
                guard let id = own.assignedStop else { continue }
                guard let stop = try stop(id) else {
                    let planned = calls[index].stop
                    let isLeft = update.stops.contains {
                        $0.relationship == .skipped && $0.stop == planned
                            && $0.sequence == calls[index].sequence
                    }
                    doubts.append(
                        "its stop \(id) is unknown" + (isLeft ? "" : ": the scheduled one is shown"))
                    run.calls[index].live?.assignedStop = nil
                    if isLeft { run.calls[index].live = LiveCall(kind: .skipped, why: own.why) }
                    continue
                }
                guard stop.number != run.calls[index].stop else { continue }
                var isNear =
                    stop.parent != nil && stop.parent == calls[index].station
                    || stop.id == calls[index].station
                if !isNear, let planned = try self.stop(run.calls[index].stop) {
                    let metres = planned.metres(to: stop)
                    // Platforms that the feed does not join are beside each other all the same.
                    isNear =
                        planned.title == stop.title
                        && metres.map { $0 <= TransitSettings.samePlatforms } ?? false
                    if !isNear {
                        let away = metres.map { "\(Literal.quantity(.metres($0.rounded()))) away" }
                        doubts.append(
                            "its stop \(id) (\(stop.title)) is not at the scheduled one, \(planned.title): "
                                + (away ?? "how far it is is unknown"))
                    }
                }
                run.calls[index].plannedStop = run.calls[index].stop
                run.calls[index].isPlatformOfMessage = isNear && stop.number < 0
                run.calls[index].stop = stop.number
            }
            return nil
        }
    }

    /// The calls of a run with the identifiers of their stops; those of a pattern are read once.
    mutating func calls(of run: LiveRun) throws -> [UpdatedCalls.Call] {
        if run.kind != .changed, let pattern = run.pattern, let known = callsOfPattern[pattern],
            known.count == run.calls.count
        {
            var calls = known
            for index in calls.indices {
                calls[index].arrival = run.calls[index].arrival
                calls[index].departure = run.calls[index].departure
            }
            return calls
        }
        let numbers = Dictionary(
            try (run.pattern.map { try matcher.calls($0) } ?? []).map { ($0.sequence, $0.feedSequence) },
            uniquingKeysWith: { first, _ in first })
        var calls: [UpdatedCalls.Call] = []
        for call in run.calls {
            let stop = try stop(call.stop)
            calls.append(
                UpdatedCalls.Call(
                    sequence: call.sequence.flatMap { numbers[$0] ?? nil }, stop: stop?.id ?? "",
                    station: stop?.parent, arrival: call.arrival, departure: call.departure))
        }
        if run.kind != .changed, let pattern = run.pattern { callsOfPattern[pattern] = calls }
        return calls
    }
}
