import CivilTime
import PluginKit

/// Applies the update of a trip to the calls of a run, by the rules of the GTFS-realtime reference (*Trip
/// Updates*, *Stop Time Updates*): updates are matched in order by stop_sequence, else by stop; a delay
/// applies to the following calls until the next update; NO_DATA ends it.
enum UpdatedCalls {
    /// A scheduled call.
    struct Call {
        /// `stop_sequence` of the feed; `nil` if unknown.
        var sequence: Int?
        /// The identifiers of the stop and of its station.
        var stop: String
        var station: String?
        /// Seconds since 1970.
        var arrival: Int
        var departure: Int
    }

    /// Realtime data of each call; `nil` for calls without.
    static func calls(_ calls: [Call], _ update: RealtimeFeed.TripUpdate) -> [LiveCall?] {
        switch update.trip.relationship {
        case .canceled, .deleted:
            return calls.map { _ in LiveCall(kind: .cancelled, why: "update \(update.id) cancels the trip") }
        default: break
        }
        var carried: (delay: Int, why: String)? = update.delay.map {
            ($0, "update \(update.id) has the trip \(Literal.duration(Double($0))) late")
        }
        var next = 0
        return calls.map { call in
            guard let index = update.stops[next...].firstIndex(where: { matches($0, call) }) else {
                return carried.map {
                    LiveCall(
                        arrival: call.arrival + $0.delay, departure: call.departure + $0.delay, why: $0.why)
                }
            }
            next = index + 1
            return live(call, update.stops[index], update.id, &carried)
        }
    }

    private static func matches(_ update: RealtimeFeed.StopUpdate, _ call: Call) -> Bool {
        if let sequence = update.sequence, let own = call.sequence { return sequence == own }
        return !update.stop.isEmpty && (update.stop == call.stop || update.stop == call.station)
    }

    private static func live(
        _ call: Call, _ update: RealtimeFeed.StopUpdate, _ id: String,
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
        guard let known = departure ?? arrival else {
            // Only the platform changed.
            let late = carried?.delay
            guard update.assignedStop != nil || late != nil else { return nil }
            return LiveCall(
                arrival: late.map { call.arrival + $0 }, departure: late.map { call.departure + $0 },
                assignedStop: update.assignedStop, why: at)
        }
        carried = (known, "the delay of \(at) applies to the following calls")
        let came = call.arrival + (arrival ?? known)
        // A departure is not before the arrival.
        let leaves = max(call.departure + known, arrival == nil ? Int.min : came)
        return LiveCall(
            arrival: arrival.map { call.arrival + $0 } ?? min(came, leaves), departure: leaves,
            assignedStop: update.assignedStop ?? moved(update, call),
            why: "\(at) predicts it")
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

    /// Whether an update is about a run.
    static func isAbout(
        _ trip: RealtimeFeed.TripDescriptor, day: CivilDate, start: Int, reference: Int, isFrequency: Bool,
        at time: Int
    ) -> Bool {
        if let wanted = trip.day {
            if wanted != day { return false }
        } else if abs(reference + start - time) > TransitSettings.undatedReach {
            // Without a date the update refers to the run nearest to the message.
            return false
        }
        return !isFrequency || trip.start == start
    }
}
