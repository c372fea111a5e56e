import CivilTime

/// A run as the messages of an instant have it: the one source of boards, trips and journeys.
struct LiveRun: Sendable {
    /// The identity of a run of the timetable.
    struct Key: Hashable, Sendable {
        var trip: Int64
        var day: CivilDate
        /// Seconds of the service day at which it leaves its first stop.
        var start: Int
    }

    /// How it differs from the timetable.
    enum Kind: Sendable, Hashable {
        /// It keeps its calls, with other times or platforms.
        case updated
        /// Its calls are others.
        case changed
        /// The timetable does not have it.
        case added
        case cancelled
        /// It is not shown to riders.
        case deleted
    }

    /// A call, at the stop where the vehicle is expected.
    struct Call: Sendable {
        var stop: Int64
        /// The scheduled stop, if it is another one.
        var plannedStop: Int64?
        /// Whether it is moved to a platform that only the message knows, beside the scheduled stop: riders look for it there.
        var isPlatformOfMessage = false
        /// The place of the call in the pattern; `nil` if the pattern does not have it.
        var sequence: Int?
        /// Planned times, seconds since 1970.
        var arrival: Int
        var departure: Int
        /// `pickup_type` and `drop_off_type`.
        var pickup = 0
        var dropOff = 0
        /// What an update says of it beside its times.
        var properties = CallProperties()
        var live: LiveCall?

        /// The times at which the vehicle is expected: the planned ones without a prediction.
        var expectedArrival: Int { live?.arrival ?? arrival }
        var expectedDeparture: Int { live?.departure ?? departure }

        var isSkipped: Bool { live?.kind == .skipped }

        /// The stop of the timetable at which riders find it.
        var knownStop: Int64 { isPlatformOfMessage ? plannedStop ?? stop : stop }
    }

    var kind: Kind
    /// Whether the timetable has no run in whose place it is, although it has its trip: one beside the headway.
    var isExtra = false
    /// The identifier of its trip.
    var trip: String
    /// The trip of the timetable that has its headsign and other facts; for a copy the original.
    var row: Int64?
    var pattern: Int64?
    var route: Int64?
    var day: CivilDate
    var start: Int
    var headsign: String?
    /// `wheelchair_accessible` of its vehicle, as in trips.txt; `nil` if the timetable's stays.
    var wheelchair: Int?
    /// How full its vehicle is now; `nil` without data.
    var occupancy: String?
    var calls: [Call] = []
    /// The update behind it, and why it applies to this run.
    var update: String
    /// When its progress was measured, in seconds since 1970.
    var time: Int

    /// The run of the timetable in whose place it is; `nil` for an added one.
    var key: Key? { kind == .added ? nil : row.map { Key(trip: $0, day: day, start: start) } }

    /// The index of the last call at which it stops.
    var lastCall: Int? { calls.lastIndex { !$0.isSkipped } }

    /// Whether it is offered beside the runs of the timetable.
    var isBesideTimetable: Bool { kind == .added || isExtra && (kind == .updated || kind == .changed) }

    /// The index of the first call at which it stops.
    var firstCall: Int? { calls.firstIndex { !$0.isSkipped } }

    /// Whether the vehicle stays at the stop of a call until a later call there, with which it leaves or ends.
    func staysAfter(_ index: Int) -> Bool {
        let next = index + 1
        guard next < calls.count, calls[next].stop == calls[index].stop,
            calls[next].isSkipped == calls[index].isSkipped
        else { return false }
        let isEnd = next == calls.count - 1 || calls[next].live?.endsHere ?? false
        return isEnd || calls[next].pickup != Boarding.none || staysAfter(next)
    }

    /// Whether the vehicle is at the stop of a call since an earlier call there, with which it came or began.
    func isThereBefore(_ index: Int) -> Bool {
        let before = index - 1
        guard before >= 0, calls[before].stop == calls[index].stop,
            calls[before].isSkipped == calls[index].isSkipped
        else { return false }
        return before == 0 || calls[before].dropOff != Boarding.none || isThereBefore(before)
    }

    /// The stop at which it ends although the timetable has later calls.
    var earlyEnd: Int64? { calls.last { $0.live?.endsHere ?? false }?.stop }

    /// A headsign of the timetable with the stop at which the run really ends: `Delta, ends at Beta`.
    static func headsign(_ known: String, endingAt stop: String?) -> String {
        guard let stop, stop != known else { return known }
        return "\(known), ends at \(stop)"
    }

    /// How full it is expected to be when it leaves a call, else how full it is now: `full`, `full now`.
    func occupancy(at call: Call) -> String? {
        call.properties.occupancyWord ?? occupancy.map { "\($0) now" }
    }

    /// Marks what skipped calls mean for the whole run: without a call it is cancelled, and where it ends before its
    /// last call nobody can board.
    mutating func markSkippedEnd() {
        guard kind != .cancelled, kind != .deleted, calls.contains(where: \.isSkipped) else { return }
        guard let last = lastCall, calls.count(where: { !$0.isSkipped }) > 1 else {
            kind = .cancelled
            let which = lastCall == nil ? "all its stops" : "all its stops but one"
            let why = "update \(update) skips \(which)"
            for index in calls.indices { calls[index].live = LiveCall(kind: .cancelled, why: why) }
            return
        }
        guard last < calls.count - 1 else { return }
        var live = calls[last].live ?? LiveCall(why: "update \(update) skips the stops after it")
        live.endsHere = true
        calls[last].live = live
        calls[last].pickup = Boarding.none
    }
}

/// What became of an update: listed by `feed updates`.
struct UpdateVerdict: Sendable {
    enum Outcome: String, Sendable {
        case applied, ambiguous, refused, superseded, outdated
        /// The timetable has no such run.
        case noRun = "no run"
        /// The trip's identifier is unknown, and nothing else describes it.
        case unknownTrip = "unknown trip"
    }

    var update: String
    /// The trip as the update names it.
    var trip: String
    /// The `relationship` of a vehicle that makes its run late by its position.
    static let position = "POSITION"
    var relationship: String
    var outcome: Outcome
    var why: String
    /// The run: its trip and service day.
    var run: String?
    /// Whether the reason says more than that the identifiers are equal.
    var isNotable = true

    /// `update 1 applied to t1 of 2026-03-10 08:00:00: …`
    var sentence: String {
        let what =
            outcome == .applied
            ? "applied" + (run.map { " to \($0)" } ?? "") : "not applied, \(outcome.rawValue)"
        return "update \(update) \(what): \(why)"
    }
}

/// The runs of a timetable as a message has them. It depends on the timetable and the message alone.
struct LiveTimetable: Sendable {
    let runs: [LiveRun]
    let verdicts: [UpdateVerdict]
    /// The runs by their place in the timetable, by the stops where they call or should have called, and by
    /// their trips.
    let byKey: [LiveRun.Key: Int]
    let byStop: [Int64: [Int]]
    let byTrip: [String: [Int]]
    /// The stops that only the message knows, by the numbers of their stations.
    let parts: [Int64: [Int64]]
    /// The number of runs that leave a stop earlier than vehicles do: boards of later times lack them.
    let improbable: Int

    /// The hours by which nearly all runs are late, or early if negative; `nil` if they are not.
    let shift: Int?

    init(runs: [LiveRun], verdicts: [UpdateVerdict], parts: [Int64: [Int64]] = [:]) {
        (self.runs, self.verdicts, self.parts) = (runs, verdicts, parts)
        var byKey: [LiveRun.Key: Int] = [:]
        var byStop: [Int64: [Int]] = [:]
        var byTrip: [String: [Int]] = [:]
        for (index, run) in runs.enumerated() {
            if let key = run.key { byKey[key] = index }
            byTrip[run.trip, default: []].append(index)
            for call in run.calls {
                if byStop[call.stop]?.last != index { byStop[call.stop, default: []].append(index) }
                guard let stop = call.plannedStop, byStop[stop]?.last != index else { continue }
                byStop[stop, default: []].append(index)
            }
        }
        (self.byKey, self.byStop, self.byTrip) = (byKey, byStop, byTrip)
        shift = Self.shift(runs)
        improbable = runs.count { run in run.calls.contains { $0.live?.isImprobable ?? false } }
    }

    private static func shift(_ runs: [LiveRun]) -> Int? {
        let delays = runs.compactMap { run -> Int? in
            let call = run.calls.first {
                $0.live?.kind == .predicted && !($0.live?.isDerived ?? true)
                    && $0.live?.predictedDeparture != nil
            }
            return call.flatMap { call in call.live?.predictedDeparture.map { $0 - call.departure } }
        }
        guard delays.count >= TransitSettings.shiftedRuns else { return nil }
        let hour = 3600
        let hours = delays.compactMap { delay -> Int? in
            let hours = Int((Double(delay) / Double(hour)).rounded())
            return abs(delay - hours * hour) <= TransitSettings.shiftSlack ? hours : nil
        }
        let most = Dictionary(grouping: hours) { $0 }.max { $0.value.count < $1.value.count }
        guard let most, most.key != 0,
            Double(most.value.count) >= TransitSettings.shiftedPart * Double(delays.count)
        else { return nil }
        return most.key
    }

    /// The run in the place of one of the timetable; `nil` if no message is about it.
    func run(_ trip: Int64, _ day: CivilDate, _ start: Int) -> LiveRun? {
        byKey[LiveRun.Key(trip: trip, day: day, start: start)].map { runs[$0] }
    }

    /// The runs of a trip's identifier, on a day if it is given.
    func runs(ofTrip id: String, on day: CivilDate? = nil) -> [LiveRun] {
        (byTrip[id] ?? []).map { runs[$0] }.filter { run in day.map { $0 == run.day } ?? true }
    }

    /// The runs that call at some stops, or should have.
    func runs(at stops: [Int64]) -> [LiveRun] {
        Set(stops.flatMap { byStop[$0] ?? [] }).sorted().map { runs[$0] }
    }

    /// The number of updates that are not applied.
    var notApplied: Int { verdicts.count { $0.outcome != .applied } }

    /// The number of updates that are not applied, and of runs that are improbably early, in words; `nil` if there are none.
    var note: String? {
        let parts = [
            notApplied == 0 ? nil : "\(notApplied, of: "update") of the message not applied",
            improbable == 0 ? nil : "\(improbable, of: "run") improbably early",
        ].compactMap(\.self)
        let zone = shift.map {
            "nearly all its runs are \(abs($0))h \($0 > 0 ? "late" : "early"): its times may be of another zone"
        }
        let notes = [zone, parts.isEmpty ? nil : parts.joined(separator: ", ") + ": feed updates"].compactMap(
            \.self)
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }
}
