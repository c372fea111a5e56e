import CivilTime
import Foundation
import GRDB
import PluginKit
import TrailStores

/// Makes the runs of a message: finds the run of each update, of several updates of a run takes the newest,
/// and gives each run its calls.
struct LiveTimetableMaker {
    private let feed: Feed
    private let snapshot: RealtimeSnapshot
    private var matcher: UpdateMatcher
    private var stopsByID: [String: StopRecord?] = [:]
    private var stopsByNumber: [Int64: StopRecord] = [:]
    /// The calls of patterns with the identifiers of their stops; the times are of some run.
    private var callsOfPattern: [Int64: [UpdatedCalls.Call]] = [:]
    /// The stops that the message brings along, by their identifiers.
    private let brought: [String: MessageStop]
    private var runs: [LiveRun] = []
    private var verdicts: [UpdateVerdict?]
    /// The detours of runs, as indices of the message's detours, in order.
    private var detours: [LiveRun.Key: [Int]] = [:]
    private var detourVerdicts: [UpdateVerdict] = []
    /// What positions say of runs without updates.
    private var positionVerdicts: [UpdateVerdict] = []
    /// The runs of which it is said what their detours became.
    private var toldDetours: Set<LiveRun.Key> = []

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

    private func verdict(
        _ update: RealtimeFeed.TripUpdate, _ outcome: UpdateVerdict.Outcome, _ why: String, run: String?,
        isNotable: Bool
    ) -> UpdateVerdict {
        UpdateVerdict(
            update: update.id, trip: update.trip.trip,
            relationship: update.trip.unknownRelationship.map { "\($0)" }
                ?? "\(update.trip.relationship)".uppercased(),
            outcome: outcome, why: why, run: run, isNotable: isNotable)
    }

    private mutating func reject(_ index: Int, _ outcome: UpdateVerdict.Outcome, _ why: String) {
        verdicts[index] = verdict(snapshot.feed.updates[index], outcome, why, run: nil, isNotable: true)
    }

    private mutating func accept(_ index: Int, _ run: LiveRun, _ why: String, isNotable: Bool) {
        verdicts[index] = verdict(
            snapshot.feed.updates[index], .applied, why,
            run: "\(run.trip) of \(run.day.text) \(ServiceDay.scheduled(run.start))", isNotable: isNotable)
    }

    private func outdated() -> [UpdateVerdict] {
        snapshot.outdated.map { update in
            verdict(
                update, .outdated,
                "its progress was measured at \(RealtimeView.moment(update.time ?? snapshot.time, feed.zone))",
                run: nil, isNotable: true)
        }
    }

    // MARK: Runs of the timetable

    /// Applies the newest of the updates of a run.
    private mutating func apply(
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
            for update in best {
                reject(
                    update.index, .refused,
                    "two updates of one run, as new as each other, contradict each other")
            }
            return
        }
        try apply(first.index, first.run, key)
    }

    private func isSame(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (snapshot.feed.updates[left], snapshot.feed.updates[right])
        return a.trip.relationship == b.trip.relationship && a.delay == b.delay && a.stops == b.stops
            && a.wheelchair == b.wheelchair
    }

    private mutating func apply(_ index: Int, _ found: UpdateMatcher.Run, _ key: LiveRun.Key) throws {
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
            var doubts: [String] = []
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
        var doubts: [String] = []
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
    private mutating func planned(_ trip: TripRecord, _ day: CivilDate, _ start: Int) throws -> LiveRun {
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
    private mutating func predict(
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
                    doubts.append("its stop \(id) is unknown: the scheduled one is shown")
                    run.calls[index].live?.assignedStop = nil
                    continue
                }
                guard stop.number != run.calls[index].stop else { continue }
                var isNear =
                    stop.parent != nil && stop.parent == calls[index].station
                    || stop.id == calls[index].station
                if !isNear, let planned = try self.stop(run.calls[index].stop) {
                    let metres = planned.coordinate.distance(to: stop.coordinate)
                    // Platforms that the feed does not join are beside each other all the same.
                    isNear = planned.title == stop.title && metres <= TransitSettings.samePlatforms
                    if !isNear {
                        doubts.append(
                            "its stop \(id) (\(stop.title)) is not at the scheduled one, \(planned.title): "
                                + "\(Literal.quantity(.metres(metres.rounded()))) away")
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
    private mutating func calls(of run: LiveRun) throws -> [UpdatedCalls.Call] {
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

    // MARK: Runs that the timetable does not have

    private mutating func add(_ index: Int) throws {
        let update = snapshot.feed.updates[index]
        var doubts: [String] = []
        guard !update.trip.trip.isEmpty else {
            reject(index, .refused, "an added trip needs a trip_id")
            return
        }
        guard let calls = try ownCalls(update, kind: .added, &doubts), let first = calls.first else {
            reject(index, .refused, doubts.joined(separator: "; "))
            return
        }
        if try feed.trips.with(id: update.trip.trip) != nil {
            doubts.append("its trip_id is also that of a trip of the timetable, which stays")
        }
        if let unreadable = update.trip.unreadable { doubts.append("\(unreadable), and not used") }
        let route = matcher.route(update.trip.route)
        if route == nil {
            doubts.append(
                update.trip.route.isEmpty
                    ? "it names no route" : "its route \(update.trip.route) is unknown")
        }
        let zone =
            try route.map(feed.zone(ofRoute:)) ?? stop(first.stop).map(feed.stops.zone(of:)) ?? feed.zone
        let day = update.trip.day ?? ServiceDay.date(of: first.departure, in: zone)
        let run = LiveRun(
            kind: .added, trip: update.trip.trip, route: route, day: day,
            start: first.departure - ServiceDay.reference(day, in: zone), headsign: update.headsign,
            wheelchair: update.wheelchair, calls: calls, update: update.id, time: update.time ?? snapshot.time
        )
        guard take(run, index) else { return }
        accept(
            index, run, (["a trip that the timetable does not have"] + doubts).joined(separator: "; "),
            isNotable: !doubts.isEmpty)
    }

    /// Adds a run unless a newer update has it.
    private mutating func take(_ run: LiveRun, _ index: Int) -> Bool {
        guard
            let known = runs.firstIndex(where: {
                $0.kind == .added && $0.trip == run.trip && $0.day == run.day
                    && ($0.row == nil || $0.start == run.start)
            })
        else {
            runs.append(run)
            return true
        }
        guard run.time > runs[known].time else {
            reject(index, .superseded, "update \(runs[known].update) of the same run is as new or newer")
            return false
        }
        if let old = snapshot.feed.updates.firstIndex(where: { $0.id == runs[known].update }) {
            reject(old, .superseded, "update \(run.update) of the same run is newer")
        }
        runs[known] = run
        return true
    }

    /// The calls that an update itself gives, with times that increase; `nil`, with the reason, if it cannot
    /// be shown.
    private mutating func ownCalls(
        _ update: RealtimeFeed.TripUpdate, kind: LiveCall.Kind, _ doubts: inout [String]
    ) throws -> [LiveRun.Call]? {
        var stops = update.stops
        if stops.allSatisfy({ $0.sequence != nil }) {
            stops = stops.enumerated().sorted {
                ($0.element.sequence ?? 0, $0.offset) < ($1.element.sequence ?? 0, $1.offset)
            }.map(\.element)
        }
        let why = "update \(update.id) \(kind == .added ? "adds the trip" : "replaces the calls of the trip")"
        var calls: [LiveRun.Call] = []
        var latest: Int?
        for own in stops where own.relationship != .noData && own.relationship != .skipped {
            let id = own.assignedStop ?? own.stop
            guard let stop = try stop(id) else {
                doubts.append(
                    id.isEmpty
                        ? "one of its calls names no stop"
                        : "its stop \(id) is unknown: that call is not shown")
                continue
            }
            guard let arrival = own.arrival?.time ?? own.departure?.time,
                let departure = own.departure?.time ?? own.arrival?.time
            else {
                doubts = ["its call at \(id) has no time"]
                return nil
            }
            if arrival < (latest ?? arrival) - TransitSettings.timeSlack
                || departure < arrival - TransitSettings.timeSlack
            {
                doubts = ["its times run backwards at \(id)"]
                return nil
            }
            let came = max(latest ?? arrival, arrival)
            let leaves = max(came, departure)
            latest = leaves
            let plannedArrival = own.arrival?.scheduled ?? own.departure?.scheduled ?? came
            var call = LiveRun.Call(
                stop: stop.number, arrival: plannedArrival,
                departure: own.departure?.scheduled ?? own.arrival?.scheduled ?? leaves,
                live: LiveCall(kind: kind, arrival: came, departure: leaves, why: why))
            doubts += call.take(own.properties, at: id)
            calls.append(call)
        }
        guard calls.count > 1 else {
            doubts.append("it has fewer than two calls at known stops")
            return nil
        }
        return calls
    }

    /// The identity of a copy. Some producers give it no `trip_properties`, but another start than that of the trip.
    private func identity(
        ofCopy update: RealtimeFeed.TripUpdate, of original: TripRecord, _ doubts: inout [String]
    ) -> (id: String, day: CivilDate, start: Int)? {
        if let copy = update.copy, !copy.trip.isEmpty, let day = copy.day, let start = copy.start {
            return (copy.trip, day, start)
        }
        guard let day = update.trip.day, let start = update.trip.start, start != original.start,
            !original.isFrequency
        else { return nil }
        doubts.append("it does not identify the copy: its start is taken as that of the copy")
        let own = update.copy?.trip ?? ""
        return (own.isEmpty ? "\(original.id)@\(ServiceDay.scheduled(start))" : own, day, start)
    }

    /// An extra run that copies a trip: its times are those of the trip, moved to its own start.
    private mutating func copy(_ index: Int) throws {
        let update = snapshot.feed.updates[index]
        guard let original = try feed.trips.with(id: update.trip.trip) else {
            reject(index, .unknownTrip, "the trip that it duplicates, \(update.trip.trip), is unknown")
            return
        }
        var doubts: [String] = []
        guard let (id, day, start) = identity(ofCopy: update, of: original, &doubts) else {
            reject(index, .refused, "a duplicated trip needs its own trip_id, start_date and start_time")
            return
        }
        guard try feed.trips.with(id: id) == nil else {
            reject(index, .refused, "the trip_id of the copy, \(id), is that of a trip of the timetable")
            return
        }
        var run = try planned(original, day, start)
        (run.kind, run.trip, run.update) = (.added, id, update.id)
        (run.time, run.headsign) = (update.time ?? snapshot.time, update.headsign)
        run.wheelchair = update.wheelchair
        if let why = try predict(&run, update, &doubts) {
            reject(index, .refused, why)
            return
        }
        for call in run.calls.indices {
            let own = run.calls[call]
            if own.isSkipped { continue }
            run.calls[call].live = LiveCall(
                kind: .added, arrival: own.expectedArrival, departure: own.expectedDeparture,
                assignedStop: own.live?.assignedStop,
                why: "update \(update.id) duplicates trip \(original.id)"
                    + (own.live.map { "; \($0.why)" } ?? ""))
        }
        guard take(run, index) else { return }
        accept(
            index, run, (["a copy of trip \(original.id)"] + doubts).joined(separator: "; "),
            isNotable: true)
    }

    // MARK: Detours

    private func verdict(
        of detour: RealtimeFeed.Detour, _ outcome: UpdateVerdict.Outcome, _ why: String, _ run: LiveRun?
    ) -> UpdateVerdict {
        UpdateVerdict(
            update: detour.id, trip: run?.trip ?? detour.trips.joined(separator: ", "),
            relationship: "MODIFIED", outcome: outcome, why: why,
            run: run.map { "\($0.trip) of \($0.day.text) \(ServiceDay.scheduled($0.start))" })
    }

    /// The runs that detours change.
    private mutating func findDetours() throws {
        for (index, detour) in snapshot.feed.detours.enumerated() {
            let fault =
                detour.unreadable ?? (detour.trips.isEmpty ? "it names no trip" : nil)
                ?? (detour.days.isEmpty ? "it names no service date" : nil)
            if let fault {
                detourVerdicts.append(verdict(of: detour, .refused, fault, nil))
                continue
            }
            for id in detour.trips {
                guard let trip = try feed.trips.with(id: id) else {
                    detourVerdicts.append(
                        verdict(of: detour, .unknownTrip, "trip_id \(id) is unknown", nil))
                    continue
                }
                let known = try feed.trips.starts(of: trip).map(\.start)
                let starts = trip.isFrequency && !detour.starts.isEmpty ? detour.starts : known
                for day in detour.days {
                    guard let service = feed.calendar.services.find(trip.service),
                        feed.services(on: day).runs[service]
                    else {
                        detourVerdicts.append(
                            verdict(of: detour, .noRun, "trip \(id) does not run on \(day.text)", nil))
                        continue
                    }
                    for start in starts {
                        guard known.contains(start) else {
                            let why = "trip \(id) has no run at \(ServiceDay.scheduled(start))"
                            detourVerdicts.append(verdict(of: detour, .noRun, why, nil))
                            continue
                        }
                        let key = LiveRun.Key(trip: trip.row, day: day, start: start)
                        if detours[key]?.last != index { detours[key, default: []].append(index) }
                    }
                }
            }
        }
    }

    /// The runs that detours change and of which no update has other news.
    private mutating func addDetouredRuns() throws {
        let known = Set(runs.compactMap(\.key))
        let order = detours.sorted {
            ($0.value[0], $0.key.day, $0.key.start, $0.key.trip)
                < ($1.value[0], $1.key.day, $1.key.start, $1.key.trip)
        }
        for (key, indices) in order where !known.contains(key) {
            guard let trip = try feed.trips.with(row: key.trip) else { continue }
            var run = try planned(trip, key.day, key.start)
            run.update = snapshot.feed.detours[indices[0]].id
            if try takeDetours(indices, &run) { runs.append(run) }
        }
    }

    /// Applies the detours of a run, and says so; `false` if they are refused.
    @discardableResult
    private mutating func takeDetours(_ indices: [Int], _ run: inout LiveRun) throws -> Bool {
        let own = indices.map { snapshot.feed.detours[$0] }
        let isNew = run.key.map { toldDetours.insert($0).inserted } ?? true
        func tell(_ outcome: UpdateVerdict.Outcome, _ why: String) {
            guard isNew else { return }
            for detour in own { detourVerdicts.append(verdict(of: detour, outcome, why, run)) }
        }
        var changes: [DetouredCalls.Change] = []
        var known: Set<RealtimeFeed.Detour.Change> = []
        for detour in own {
            for change in detour.changes where known.insert(change).inserted {
                changes.append(DetouredCalls.Change(detour: detour.id, change: change))
            }
        }
        var stops: [String: Int64] = [:]
        for id in changes.flatMap({ $0.change.namedStops }) { stops[id] = try stop(id)?.number }
        let pattern = try run.pattern.map { try matcher.calls($0) } ?? []
        var notes = [own.count > 1 ? "a detour of several that are combined" : "a detour"]
        let outcome = DetouredCalls(calls: run.calls, pattern: pattern, stops: stops).apply(changes)
        switch outcome {
        case .refused(let why):
            tell(.refused, why)
            return false
        case .noCalls(let doubts):
            notes += doubts + ["fewer than two of its calls are left"]
            run.kind = .cancelled
            for index in run.calls.indices {
                run.calls[index].live = LiveCall(kind: .cancelled, why: "detour \(own[0].id)")
            }
        case .applied(let calls, let doubts):
            notes += doubts
            (run.calls, run.kind) = (calls, .changed)
        }
        // Several changes may have the same doubt.
        var said: Set<String> = []
        tell(.applied, notes.filter { said.insert($0).inserted }.joined(separator: "; "))
        return true
    }

    // MARK: Vehicles

    /// A vehicle of a message that is recent enough.
    private func isRecent(_ vehicle: RealtimeFeed.Vehicle) -> Bool {
        vehicle.trip.unreadable == nil && time(of: vehicle) >= snapshot.time - TransitSettings.staleAfter
    }

    private func time(of vehicle: RealtimeFeed.Vehicle) -> Int {
        vehicle.time ?? vehicle.messageTime ?? snapshot.time
    }

    /// The run of the timetable of a vehicle; `nil` if it is unknown, beside a headway, or one that the timetable does not have.
    private mutating func run(of vehicle: RealtimeFeed.Vehicle) throws -> UpdateMatcher.Run? {
        guard vehicle.trip.unknownRelationship == nil,
            ![.added, .new, .duplicated].contains(vehicle.trip.relationship)
        else { return nil }
        let update = RealtimeFeed.TripUpdate(id: vehicle.id, trip: vehicle.trip)
        guard case .run(let found) = try matcher.find(update, at: time(of: vehicle)), !found.isOffGrid else {
            return nil
        }
        return found
    }

    /// The newest positions by their runs, in the order of the message, of runs that keep their calls and of which no update says
    /// anything; `nil` where two that are as new as each other differ.
    private mutating func newestPositions() throws -> [(
        run: UpdateMatcher.Run, vehicle: RealtimeFeed.Vehicle?, time: Int
    )] {
        let known = Set(runs.compactMap(\.key))
        let added = Set(runs.filter { $0.kind == .added }.map(\.trip))
        var positions: [(run: UpdateMatcher.Run, vehicle: RealtimeFeed.Vehicle?, time: Int)] = []
        var indices: [LiveRun.Key: Int] = [:]
        for vehicle in snapshot.feed.vehicles
        where vehicle.hasProgress && isRecent(vehicle) && !added.contains(vehicle.trip.trip) {
            try Interruption.check()
            guard [.scheduled, .unscheduled].contains(vehicle.trip.relationship),
                let found = try run(of: vehicle)
            else { continue }
            let key = LiveRun.Key(trip: found.trip.row, day: found.day, start: found.start)
            let time = time(of: vehicle)
            guard !known.contains(key) else { continue }
            guard let index = indices[key] else {
                indices[key] = positions.count
                positions.append((found, vehicle, time))
                continue
            }
            let other = positions[index]
            if time > other.time {
                positions[index] = (found, vehicle, time)
            } else if time == other.time,
                other.vehicle?.sequence != vehicle.sequence || other.vehicle?.progress != vehicle.progress
            {
                positions[index].vehicle = nil
            }
        }
        return positions
    }

    /// Makes runs late of which no update says anything, and whose vehicles have not reached or not left a call in time.
    private mutating func takeProgress() throws {
        for case (let found, let vehicle?, let time) in try newestPositions() {
            var run = try planned(found.trip, found.day, found.start)
            guard let next = vehicle.nextCall(try calls(of: run)),
                !(next.isThere && next.index == run.calls.count - 1)
            else { continue }
            let call = run.calls[next.index]
            let late = time - (next.isThere ? call.departure : call.arrival)
            guard (TransitSettings.timeSlack...TransitSettings.mostLateness).contains(late) else { continue }
            let why =
                "vehicle \(vehicle.id) \(next.isThere ? "is still at" : "has not reached") its call \(next.index + 1) at "
                + RealtimeView.moment(time, feed.zone(ofRoute: found.trip.route))
                + (found.isPlain ? "" : "; \(found.why)")
            for index in next.index..<run.calls.count {
                let own = run.calls[index]
                let came = next.isThere && index == next.index ? own.arrival : own.arrival + late
                run.calls[index].live = LiveCall(
                    arrival: came, departure: own.departure + late, isDerived: true,
                    isInexact: found.isInexact, why: why)
            }
            (run.update, run.time) = (vehicle.id, time)
            runs.append(run)
            positionVerdicts.append(
                UpdateVerdict(
                    update: vehicle.id, trip: vehicle.trip.trip, relationship: UpdateVerdict.position,
                    outcome: .applied, why: why,
                    run: "\(run.trip) of \(run.day.text) \(ServiceDay.scheduled(run.start))",
                    isNotable: false))
        }
    }

    /// Gives runs what positions say of their vehicles; a run without other news keeps its planned times. What an update
    /// says stays.
    private mutating func takeVehicles() throws {
        var numbers = Dictionary(
            runs.indices.compactMap { index in runs[index].key.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
        let added = Dictionary(
            runs.indices.filter { runs[$0].kind == .added }.map { (runs[$0].trip, $0) },
            uniquingKeysWith: { first, _ in first })
        for vehicle in snapshot.feed.vehicles where vehicle.hasFacts && isRecent(vehicle) {
            try Interruption.check()
            let number: Int
            if let known = added[vehicle.trip.trip] {
                number = known
            } else {
                guard let found = try run(of: vehicle) else { continue }
                let key = LiveRun.Key(trip: found.trip.row, day: found.day, start: found.start)
                if let known = numbers[key] {
                    number = known
                } else {
                    var run = try planned(found.trip, found.day, found.start)
                    (run.update, run.time) = (vehicle.id, time(of: vehicle))
                    number = runs.count
                    numbers[key] = number
                    runs.append(run)
                }
            }
            runs[number].wheelchair = runs[number].wheelchair ?? vehicle.wheelchair
            runs[number].occupancy = vehicle.occupancyWord
        }
    }

    // MARK: Stops

    private mutating func stop(_ id: String) throws -> StopRecord? {
        if id.isEmpty { return nil }
        if let known = stopsByID[id] { return known }
        let found = try feed.stops.with(id: id) ?? broughtStop(id)
        stopsByID[id] = .some(found)
        return found
    }

    /// A stop that the message brings along; `nil` without one whose place is known.
    private func broughtStop(_ id: String) throws -> StopRecord? {
        guard let own = brought[id],
            let made = own.record(in: own.parent.isEmpty ? nil : try feed.stops.with(id: own.parent))
        else { return nil }
        return feed.messageStops.withLock { $0.numbered(made) }
    }

    /// The stops of the message by the numbers of their stations.
    private func partsOfStations() throws -> [Int64: [Int64]] {
        var parts: [Int64: [Int64]] = [:]
        for case let stop? in stopsByID.values where stop.number < 0 {
            guard let station = try stop.parent.flatMap({ try feed.stops.with(id: $0) }) else { continue }
            parts[station.number, default: []].append(stop.number)
        }
        return parts.mapValues { $0.sorted() }
    }

    private mutating func stop(_ number: Int64) throws -> StopRecord? {
        if let known = stopsByNumber[number] { return known }
        let found = try feed.stops.rows([number]).first
        stopsByNumber[number] = found
        return found
    }
}

extension Feed {
    /// Trips with the first day on which each runs, as realtime messages write it, for measuring.
    package func firstRuns(limit: Int) throws -> [(trip: String, day: String)] {
        try read { db in
            let rows = try RawStatement(
                db,
                "SELECT trip_id, service_id FROM \(layout.trips) WHERE frequency_based = 0 ORDER BY trip_id")
            var found: [(trip: String, day: String)] = []
            while found.count < limit, try rows.next() {
                guard let start = calendar.span?.lowerBound, let trip = rows.text(0),
                    let service = rows.bytes(1).flatMap(calendar.services.find),
                    let day = calendar.firstDay(from: start, of: [service])
                else { continue }
                found.append((trip, day.text.replacing("-", with: "")))
            }
            return found
        }
    }

    /// The number of runs that the bytes of a message are about, for measuring.
    package func runs(updatedBy message: [UInt8]) throws -> Int {
        let snapshot = try RealtimeSnapshot(file: "message", feed: RealtimeFeed(message))
        return try LiveTimetableMaker.timetable(self, snapshot).runs.count
    }
}
