import CivilTime
import PluginKit

/// Applies the update of a trip to the calls of a run, by the rules of the GTFS-realtime reference (*Trip
/// Updates*, *Stop Time Updates*): updates are assigned in order by stop_sequence, else by stop; a delay
/// applies to the following calls until the next update; NO_DATA ends it. Times never run backwards: an
/// update whose own times do is refused as a whole. A call without data for which the calls beside it leave only
/// other times than the scheduled ones has a bound, not a prediction.
enum UpdatedCalls {
    /// A scheduled call.
    struct Call: Sendable {
        /// `stop_sequence` of the feed; `nil` if unknown.
        var sequence: Int?
        /// The identifiers of the stop and of its station.
        var stop: String
        var station: String?
        /// Seconds since 1970.
        var arrival: Int
        var departure: Int
    }

    /// What became of an update.
    enum Outcome {
        /// The realtime data of each call, `nil` for calls without; the entries behind them; and what is doubtful.
        case applied([LiveCall?], updates: [RealtimeFeed.StopUpdate?], doubts: [String])
        case refused(String)
    }

    /// The times that a call is given; those that an update itself states are fixed, others follow from them.
    private struct Times {
        var arrival: Int
        var departure: Int
        var hasArrival = false
        var hasDeparture = false
    }

    /// Applies an update; `station` gives the station of a stop.
    static func apply(
        _ update: RealtimeFeed.TripUpdate, to calls: [Call], station: @escaping (String) -> String?
    ) -> Outcome {
        switch update.trip.relationship {
        case .canceled, .deleted:
            return .applied(
                calls.map { _ in LiveCall(kind: .cancelled, why: "update \(update.id) cancels the trip") },
                updates: [], doubts: [])
        case .scheduled, .added, .unscheduled, .replacement, .duplicated, .new: break
        }
        let assigned: CallAssignment.Found
        switch CallAssignment(calls: calls, updates: update.stops, station: station).find() {
        case .refused(let why): return .refused(why)
        case .found(let found): assigned = found
        }
        if let why = contradiction(calls, assigned.updates) { return .refused(why) }
        var found = live(calls, update, assigned.updates)
        let early = earlyCalls(calls, found)
        for index in early { found[index]?.isImprobable = true }
        let doubt = early.first.flatMap { earliness(calls[$0], found[$0]) }
        return .applied(
            found, updates: assigned.updates, doubts: assigned.doubts + [doubt].compactMap(\.self))
    }

    /// The calls at which a vehicle leaves long before the timetable: at its end it may be early.
    private static func earlyCalls(_ calls: [Call], _ found: [LiveCall?]) -> [Int] {
        zip(calls, found).enumerated().dropLast().compactMap { index, pair in
            guard let live = pair.1, live.kind != .skipped, let departure = live.predictedDeparture else {
                return nil
            }
            return pair.0.departure - departure > TransitSettings.mostEarliness ? index : nil
        }
    }

    /// The doubt about such a call.
    private static func earliness(_ call: Call, _ live: LiveCall?) -> String? {
        guard let departure = live?.predictedDeparture else { return nil }
        let early = Literal.duration(Double((call.departure - departure) / 60 * 60))
        return "it leaves \(call.stop) \(early) before the timetable, which is improbable"
    }

    /// The realtime data of calls whose updates are assigned.
    private static func live(
        _ calls: [Call], _ update: RealtimeFeed.TripUpdate, _ assigned: [RealtimeFeed.StopUpdate?]
    ) -> [LiveCall?] {
        var carried: (delay: Int, why: String)? = update.delay.map {
            ($0, "update \(update.id) has the trip \(Literal.duration(Double($0))) late")
        }
        var found: [LiveCall?] = []
        var times: [Times] = []
        for (call, own) in zip(calls, assigned) {
            guard let own else {
                found.append(
                    carried.map {
                        LiveCall(
                            arrival: call.arrival + $0.delay, departure: call.departure + $0.delay,
                            why: $0.why)
                    })
                let late = carried?.delay ?? 0
                times.append(Times(arrival: call.arrival + late, departure: call.departure + late))
                continue
            }
            let live = live(call, own, update.id, isFirst: found.isEmpty, &carried)
            found.append(live)
            times.append(
                Times(
                    arrival: live?.arrival ?? call.arrival, departure: live?.departure ?? call.departure,
                    hasArrival: live != nil && delay(own.arrival, scheduled: call.arrival) != nil,
                    hasDeparture: live != nil && delay(own.departure, scheduled: call.departure) != nil))
        }
        settle(&times, calls, skipped: found.map { $0?.kind == .skipped })
        for index in found.indices where found[index]?.kind != .skipped {
            let (time, call) = (times[index], calls[index])
            if found[index]?.departure != nil {
                found[index]?.arrival = time.arrival
                found[index]?.departure = time.departure
            } else if time.arrival != call.arrival || time.departure != call.departure {
                found[index] = LiveCall(
                    arrival: time.arrival, departure: time.departure,
                    assignedStop: found[index]?.assignedStop, isBound: true,
                    why: "update \(update.id) has no data here; the calls beside it allow no other time")
            }
        }
        return found
    }

    /// Makes times increase along the run. Fixed times stay, but for differences within the tolerance; others are
    /// moved only as far as the fixed times beside them need. A call that the vehicle cannot reach on time, even in half of the
    /// planned time, has the last delay: the way to it takes its time.
    private static func settle(_ times: inout [Times], _ calls: [Call], skipped: [Bool]) {
        let served = times.indices.filter { !skipped[$0] }
        var latest = Int.min
        for index in served {
            if times[index].hasArrival {
                times[index].arrival = max(latest, times[index].arrival)
                latest = times[index].arrival
            }
            if times[index].hasDeparture {
                times[index].departure = max(latest, times[index].departure)
                latest = times[index].departure
            }
        }
        // The next fixed time after each arrival and each departure.
        var bound = Int.max
        var bounds = [(arrival: Int, departure: Int)](repeating: (.max, .max), count: times.count)
        for index in served.reversed() {
            bounds[index].departure = bound
            if times[index].hasDeparture { bound = times[index].departure }
            bounds[index].arrival = bound
            if times[index].hasArrival { bound = times[index].arrival }
        }
        var before = Int.min
        var late = 0
        var last: Int?
        for index in served {
            let own = times[index].departure - calls[index].departure
            let planned = last.map { calls[index].arrival - calls[$0].departure } ?? 0
            last = index
            if own != 0 || times[index].hasArrival || times[index].hasDeparture {
                late = max(0, own)
            } else if before > Int.min,
                times[index].arrival < before + max(0, planned) / TransitSettings.mostSpeed
            {
                times[index].arrival += late
                times[index].departure += late
            }
            if !times[index].hasArrival {
                times[index].arrival = min(max(before, times[index].arrival), bounds[index].arrival)
            }
            if !times[index].hasDeparture {
                times[index].departure = min(
                    max(times[index].arrival, times[index].departure), bounds[index].departure)
            }
            before = times[index].departure
        }
    }

    /// The first two predictions of an update that run backwards by more than the tolerance.
    private static func contradiction(_ calls: [Call], _ assigned: [RealtimeFeed.StopUpdate?]) -> String? {
        var last: (time: Int, stop: String)?
        for (call, update) in zip(calls, assigned) {
            guard let update, update.relationship == .scheduled || update.relationship == .unscheduled else {
                continue
            }
            let events = [(update.arrival, call.arrival), (update.departure, call.departure)]
            for time in events.compactMap({ event, planned in
                delay(event, scheduled: planned).map { planned + $0 }
            }) {
                if let last, time < last.time - TransitSettings.timeSlack {
                    let minutes = Literal.duration(Double((last.time - time) / 60 * 60))
                    return last.stop == call.stop
                        ? "it leaves \(call.stop) \(minutes) before it arrives there"
                        : "it is at \(call.stop) \(minutes) before it is at \(last.stop), an earlier stop"
                }
                last = (max(time, last?.time ?? time), call.stop)
            }
        }
        for (call, update) in zip(calls, assigned) {
            let off = [
                delay(update?.arrival, scheduled: call.arrival),
                delay(update?.departure, scheduled: call.departure),
            ].compactMap { $0 }.first { abs($0) > TransitSettings.undatedReach }
            if let off {
                return
                    "its time at \(call.stop) is \(Literal.duration(Double(abs(off) / 60 * 60))) from the schedule"
            }
        }
        return nil
    }

    private static func live(
        _ call: Call, _ update: RealtimeFeed.StopUpdate, _ id: String, isFirst: Bool,
        _ carried: inout (delay: Int, why: String)?
    ) -> LiveCall? {
        let at = "update \(id) at " + (call.sequence.map { "stop_sequence \($0)" } ?? "stop \(call.stop)")
        switch update.relationship {
        case .skipped: return LiveCall(kind: .skipped, why: "\(at) skips the stop")
        case .noData:
            carried = nil
            return nil
        case .scheduled, .unscheduled: break
        }
        let arrival = delay(update.arrival, scheduled: call.arrival)
        let departure = delay(update.departure, scheduled: call.departure)
        let moved = update.assignedStop ?? moved(update, call)
        // A vehicle that is early at the first stop of its trip waits there.
        guard let known = departure ?? arrival.map({ isFirst ? max(0, $0) : $0 }) else {
            // Only the platform changed.
            let late = carried?.delay
            guard moved != nil || late != nil else { return nil }
            return LiveCall(
                arrival: late.map { call.arrival + $0 }, departure: late.map { call.departure + $0 },
                assignedStop: moved, why: at)
        }
        carried = (known, "the delay of \(at) applies to the following calls")
        let uncertainty = update.departure?.uncertainty ?? update.arrival?.uncertainty
        let came = call.arrival + (arrival ?? known)
        // A departure is not before the arrival.
        let leaves = max(call.departure + known, arrival == nil ? Int.min : came)
        return LiveCall(
            arrival: arrival.map { call.arrival + $0 } ?? min(came, leaves), departure: leaves,
            assignedStop: moved, uncertainty: uncertainty, why: "\(at) predicts it")
    }

    /// A stop in the update that differs from the scheduled one; some feeds report changes of platform this
    /// way.
    private static func moved(_ update: RealtimeFeed.StopUpdate, _ call: Call) -> String? {
        update.stop.isEmpty || update.stop == call.stop || update.stop == call.station ? nil : update.stop
    }

    private static func delay(_ event: RealtimeFeed.Event?, scheduled: Int) -> Int? {
        guard let event else { return nil }
        if let time = event.time { return time - scheduled }
        return event.delay
    }
}
