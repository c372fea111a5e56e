import PluginKit

/// The calls of a run on a detour (`TripModifications`, GTFS-realtime reference): changes replace calls from a first to a last one, or
/// insert calls before one. What a detour replaces is not served, also where its own stops are unknown.
struct DetouredCalls {
    /// A change of a detour.
    struct Change: Hashable {
        var detour: String
        var change: RealtimeFeed.Detour.Change
    }

    /// What became of a run.
    enum Outcome {
        case applied([LiveRun.Call], doubts: [String])
        /// Fewer than two of its calls are left at known stops.
        case noCalls(doubts: [String])
        case refused(String)
    }

    /// The calls of the timetable, with the numbers of the feed.
    let calls: [LiveRun.Call]
    let pattern: [PatternCall]
    /// The numbers of the stops that the changes name, as far as they are known.
    let stops: [String: Int64]

    /// Applies changes of one or several detours: their delays add up along the run.
    func apply(_ changes: [Change]) -> Outcome {
        var doubts: [String] = []
        var parts: [(range: Range<Int>, own: Change)] = []
        for own in changes {
            switch range(of: own.change) {
            case .found(let range): parts.append((range, own))
            case .missing(let what): doubts.append("the trip has no call at which \(what)")
            }
        }
        guard !parts.isEmpty else {
            return .refused(doubts.first ?? "it changes nothing")
        }
        parts.sort {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        for (before, after) in zip(parts, parts.dropFirst())
        where before.range.upperBound > after.range.lowerBound {
            return .refused("its changes overlap")
        }
        var made: [LiveRun.Call] = []
        var (next, shift, why) = (0, 0, "")
        for (range, own) in parts {
            made += calls[next..<range.lowerBound].map { Self.moved($0, by: shift, why) }
            // Of a change at the first call, that call is the reference; else the one before.
            let reference = Self.moved(calls[max(0, range.lowerBound - 1)], by: shift, why)
            shift += own.change.delay
            why = "detour \(own.detour)"
            let after =
                calls.indices.contains(range.upperBound) ? calls[range.upperBound].arrival + shift : nil
            made += inserted(own, reference, until: after, &doubts)
            next = range.upperBound
        }
        made += calls[next...].map { Self.moved($0, by: shift, why) }
        guard made.count > 1 else { return .noCalls(doubts: doubts) }
        straighten(&made, why, &doubts)
        return .applied(made, doubts: doubts)
    }

    private enum Position {
        case found(Range<Int>)
        case missing(String)
    }

    /// The calls that a change replaces; an empty range before the call where it inserts some.
    private func range(of change: RealtimeFeed.Detour.Change) -> Position {
        guard let first = position(change.first, from: 0) else { return .missing("its change begins") }
        guard let selector = change.last else { return .found(first..<first) }
        // A loop may call there before as well.
        guard let last = position(selector, from: first) else { return .missing("its change ends") }
        return .found(first..<last + 1)
    }

    private func position(_ selector: RealtimeFeed.StopUpdate, from start: Int) -> Int? {
        guard selector.sequence != nil || !selector.stop.isEmpty else { return nil }
        return pattern.indices.dropFirst(start).first { index in
            (selector.sequence == nil || selector.sequence == pattern[index].feedSequence)
                && (selector.stop.isEmpty || pattern[index].stop == stops[selector.stop])
        }
    }

    private static func moved(_ call: LiveRun.Call, by seconds: Int, _ why: String) -> LiveRun.Call {
        if seconds == 0 { return call }
        return placed(call, call.arrival + seconds, call.departure + seconds, why)
    }

    private static func placed(
        _ call: LiveRun.Call, _ arrival: Int, _ departure: Int, _ why: String
    ) -> LiveRun.Call {
        var call = call
        (call.arrival, call.departure) = (arrival, departure)
        call.live = LiveCall(kind: .changed, arrival: arrival, departure: departure, why: why)
        return call
    }

    /// The calls that a change brings along; those without a travel time are spread evenly between their neighbours.
    private func inserted(
        _ own: Change, _ reference: LiveRun.Call, until after: Int?, _ doubts: inout [String]
    ) -> [LiveRun.Call] {
        var times: [Int?] = []
        var numbers: [Int64] = []
        for stop in own.change.stops {
            guard let number = stops[stop.stop] else {
                doubts.append("its stop \(stop.stop) is unknown: that call is not shown")
                continue
            }
            numbers.append(number)
            times.append(stop.seconds.map { reference.arrival + $0 })
        }
        if times.contains(nil) { doubts.append("calls without a travel time have estimated times") }
        return numbers.indices.map { index in
            let time = times[index] ?? Self.between(times, index, reference.departure, after)
            let call = LiveRun.Call(stop: numbers[index], arrival: time, departure: time)
            return Self.placed(call, time, time, "detour \(own.detour)")
        }
    }

    private static func between(_ times: [Int?], _ index: Int, _ start: Int, _ end: Int?) -> Int {
        let before = times[..<index].lastIndex { $0 != nil }
        let after = times[index...].firstIndex { $0 != nil }
        let low = before.flatMap { times[$0] } ?? start
        let high = after.flatMap { times[$0] } ?? end ?? low
        let (from, to) = (before ?? -1, after ?? times.count)
        return low + max(0, high - low) * (index - from) / (to - from)
    }

    /// Makes times increase: a call is not before the one ahead of it.
    private func straighten(_ calls: inout [LiveRun.Call], _ why: String, _ doubts: inout [String]) {
        var latest = Int.min
        var most = 0
        for index in calls.indices {
            let own = calls[index]
            let came = max(latest, own.arrival)
            latest = max(came, own.departure)
            guard came != own.arrival || latest != own.departure else { continue }
            most = max(most, came - own.arrival)
            calls[index] = Self.placed(own, came, latest, own.live?.why ?? why)
        }
        guard most > TransitSettings.timeSlack else { return }
        doubts.append(
            "its times run backwards by \(Literal.duration(Double(most / 60 * 60))): calls are shown later than it says"
        )
    }
}
