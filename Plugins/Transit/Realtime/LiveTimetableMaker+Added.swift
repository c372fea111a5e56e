import CivilTime
import PluginKit

/// Runs that the timetable does not have: added ones and copies.
extension LiveTimetableMaker {
    mutating func add(_ index: Int) throws {
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
    mutating func take(_ run: LiveRun, _ index: Int) -> Bool {
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
    mutating func ownCalls(
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
            guard let arrival = own.arrival?.expected ?? own.departure?.expected,
                let departure = own.departure?.expected ?? own.arrival?.expected
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
            let plannedArrival = own.arrival?.planned ?? own.departure?.planned ?? came
            var call = LiveRun.Call(
                stop: stop.number, arrival: plannedArrival,
                departure: own.departure?.planned ?? own.arrival?.planned ?? leaves,
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
    func identity(
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
    mutating func copy(_ index: Int) throws {
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
}
