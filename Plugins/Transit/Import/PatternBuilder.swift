import PluginKit

/// Builds patterns from stop times: one for each route, direction and list of stops with the same offsets.
struct PatternBuilder {
    private let rows: StopTimeRows
    private let faults: TripFaults
    private let order: [Int32]
    private let starts: [Int]
    private var keys = KeyTable()
    /// The calls of the current trip.
    private var calls: [Call] = []
    /// Its calls that are not used since another one has their number.
    private var repeated = 0
    /// Whether some of its calls have one number: numbers name none of them then.
    private var hasRepeatedNumbers = false
    /// The first time after the calls of a number; −1 if there is none. Found once for all calls of the number.
    private var nextTime: (number: Int32, arrival: Int32)?
    private var key: [Int32] = []

    /// A call with its times filled in.
    struct Call {
        var row: Int
        var arrival: Int32
        var departure: Int32
    }

    init(_ rows: StopTimeRows, _ faults: TripFaults) {
        self.rows = rows
        self.faults = faults
        (order, starts) = rows.byTrip(trips: faults.trips)
    }

    /// Assigns each trip its pattern and start.
    mutating func build(
        _ content: inout FeedContent, _ problems: inout FeedProblems, progress: ProgressReporter
    ) throws {
        for trip in content.trips.indices {
            if trip % TransitSettings.rowStep == 0 {
                try Interruption.check()
                progress.report("building patterns", done: trip, of: content.trips.count)
            }
            // A trip that leaves its way on request keeps the calls that have times.
            let isFlexible = faults.flexible.contains(trip)
            if isFlexible, starts[trip + 1] - starts[trip] < 2 { continue }
            guard try gather(trip, &content, &problems), let first = calls.first else {
                if !isFlexible { skipRows(of: trip, &content, &problems) }
                continue
            }
            if isFlexible { content.flexibleTrips -= 1 }
            content.interpolated += StopTimeInterpolation.fill(&calls, rows)
            try take(trip, start: first.departure, &content, &problems)
            content.trips[trip].lostCalls = Int32(clamping: repeated + (faults.lost[trip]?.count ?? 0))
        }
        for (trip, count) in content.lostPeriods.sorted(by: { $0.key < $1.key }) {
            let pattern = Int(content.trips[Int(trip)].pattern)
            guard pattern >= 0 else { continue }
            let (first, calls) = (content.patterns[pattern].first, content.patterns[pattern].count)
            for stop in Set(content.patternStops[first..<first + calls].map(\.stop)) {
                content.setAside.lose(lines: count, at: stop)
            }
        }
        for row in content.frequencies {
            let pattern = Int(content.trips[Int(row.trip)].pattern)
            guard pattern >= 0, row.end > row.start else { continue }
            content.patterns[pattern].hasFrequencies = true
            content.patterns[pattern].firstStart = min(content.patterns[pattern].firstStart, row.start)
            content.patterns[pattern].lastStart = max(content.patterns[pattern].lastStart, row.end - 1)
        }
    }

    /// Counts the rows of a trip that is not used for its stop times.
    private func skipRows(of trip: Int, _ content: inout FeedContent, _ problems: inout FeedProblems) {
        if starts[trip] < starts[trip + 1] || faults.lost[trip] != nil {
            problems.skipRow(.trips, line: Int(content.trips[trip].line))
            content.setAside.lose(content.tripIDs.text(trip), route: content.trips[trip].route)
        }
        for index in starts[trip]..<starts[trip + 1] {
            let row = Int(order[index])
            problems.skipRow(.stopTimes, line: line(row))
            content.setAside.lose(at: rows[row].stop)
        }
    }

    /// Collects the calls of a trip; `false` if it has none or is skipped.
    private mutating func gather(
        _ trip: Int, _ content: inout FeedContent, _ problems: inout FeedProblems
    ) throws -> Bool {
        calls.removeAll(keepingCapacity: true)
        repeated = 0
        hasRepeatedNumbers = false
        nextTime = nil
        /// Some clocks begin again at midnight: seconds of the days before, and the last time.
        var (days, latest) = (Int32(0), Int32(-1))
        var nights: [Int] = []
        for index in starts[trip]..<starts[trip + 1] {
            let row = Int(order[index])
            if let last = calls.last, rows[last.row].sequence == rows[row].sequence {
                let isLater = problems.isLenient && follows(last, row, before: index + 1..<starts[trip + 1])
                var fault = FeedFault.duplicate("stop_sequence", "\(rows[row].sequence)")
                if isLater { fault.text += ": the calls are in the order of their times" }
                try problems.add(.stopTimes, line: line(row), fault, isLater ? .repaired : .dropped)
                // The same row twice is one call.
                if !isLater {
                    if !isSame(last.row, row) {
                        repeated += 1
                        content.setAside.lose(at: rows[row].stop)
                    }
                    continue
                }
                hasRepeatedNumbers = true
            }
            var (arrival, departure) = times(row)
            if arrival >= 0, problems.isLenient {
                let before = days
                if arrival + days < latest - Self.wrap { days += Self.day }
                arrival += days
                if departure + days < arrival - Self.wrap { days += Self.day }
                departure += days
                latest = max(latest, departure)
                if days > before { nights.append(row) }
                // Numbers stay small; the last one is too late below.
                days = min(days, Self.last)
            }
            calls.append(Call(row: row, arrival: arrival, departure: departure))
        }
        if !nights.isEmpty { try settle(nights, &problems) }
        guard let first = calls.first, let last = calls.last else { return false }
        if let gone = faults.reason(
            trip, first: Int(rows[first.row].sequence), last: Int(rows[last.row].sequence))
        {
            try problems.add(
                .stopTimes, line: gone.line,
                FeedFault(
                    .missingTripEdge,
                    "the trip \(content.tripIDs.text(trip)) lost \(gone.text) and is skipped",
                    field: "trip_id", value: content.tripIDs.text(trip)))
            return false
        }
        for end in [first, last] where end.departure < 0 {
            // Beyond it the trip goes on request, without times.
            if faults.flexible.contains(trip) { return false }
            try problems.add(
                .stopTimes, line: line(end.row),
                FeedFault(
                    .missingTripEdge, "the first and the last stop of a trip require a time",
                    field: "departure_time"))
            return false
        }
        return try isForward(&problems)
    }

    /// The times of a row; one of the two is used for both.
    private func times(_ row: Int) -> (arrival: Int32, departure: Int32) {
        let (arrival, departure) = (rows[row].arrival, rows[row].departure)
        return (arrival < 0 ? departure : arrival, departure < 0 ? arrival : departure)
    }

    /// Whether the times tell that a row with the number of the call before is a later one: it is after that and, where the next
    /// number has a time, not after that.
    private mutating func follows(_ last: Call, _ row: Int, before rest: Range<Int>) -> Bool {
        let (arrival, departure) = times(row)
        guard rows[last.row].stop != rows[row].stop, times(last.row).departure >= 0,
            arrival > times(last.row).departure, departure >= arrival
        else { return false }
        let next = nextArrival(after: rows[row].sequence, in: rest)
        return next < 0 || next >= departure
    }

    /// The first arrival among rows of other numbers; −1 without one.
    private mutating func nextArrival(after number: Int32, in rest: Range<Int>) -> Int32 {
        if let nextTime, nextTime.number == number { return nextTime.arrival }
        let next = rest.first {
            rows[Int(order[$0])].sequence != number && times(Int(order[$0])).arrival >= 0
        }
        let found = next.map { times(Int(order[$0])).arrival } ?? -1
        nextTime = (number, found)
        return found
    }

    private func isSame(_ row: Int, _ other: Int) -> Bool {
        rows[row].stop == rows[other].stop && times(row) == times(other)
    }

    /// Notes the rows at which a clock began again. Where that leaves a leap as long as the ones back, it is a slip in one row,
    /// and the times stay as they are written.
    private mutating func settle(_ nights: [Int], _ problems: inout FeedProblems) throws {
        var now: Int32?
        let isClock = calls.allSatisfy { call in
            guard call.arrival >= 0 else { return true }
            defer { now = call.departure }
            return call.departure <= Self.last && call.arrival - (now ?? call.arrival) <= Self.wrap
                && call.departure - call.arrival <= Self.wrap
        }
        guard isClock else {
            for index in calls.indices {
                (calls[index].arrival, calls[index].departure) = times(calls[index].row)
            }
            return
        }
        for row in nights {
            try problems.add(
                .stopTimes, line: line(row),
                FeedFault(
                    .stopTimeWithArrivalBeforePreviousDepartureTime,
                    "the time goes back by more than 18 hours: it is read as that of the next day",
                    field: "arrival_time"), .repaired)
        }
    }

    /// Whether times are non-decreasing along the trip.
    private func isForward(_ problems: inout FeedProblems) throws -> Bool {
        var now: Int32 = -1
        for call in calls where call.departure >= 0 {
            guard call.arrival >= now, call.departure >= call.arrival else {
                try problems.add(
                    .stopTimes, line: line(call.row),
                    FeedFault(
                        .stopTimeWithArrivalBeforePreviousDepartureTime,
                        "time goes backwards here; the trip is skipped", field: "arrival_time"))
                return false
            }
            now = call.departure
        }
        return true
    }

    private static let day: Int32 = 86_400
    private static let last = Int32(TransitSettings.latestTime)
    /// Seconds: a time that goes back by more is one after midnight. Other slips are smaller, and few vehicles go as long without a call.
    private static let wrap: Int32 = 18 * 3600

    private func line(_ row: Int) -> Int { Int(rows[row].line) }

    /// Finds or adds the pattern of the calls, and assigns it to a trip.
    private mutating func take(
        _ trip: Int, start: Int32, _ content: inout FeedContent, _ problems: inout FeedProblems
    ) throws {
        let route = content.trips[trip].route
        let direction = content.trips[trip].direction
        key.removeAll(keepingCapacity: true)
        key.append(route)
        key.append(Int32(direction))
        for call in calls {
            let row = rows[call.row]
            key.append(row.stop)
            key.append(call.arrival - start)
            key.append(call.departure - start)
            key.append(Int32(row.boarding))
            key.append(row.headsign)
            key.append(row.note < 0 ? -1 : content.callNotes[Int(row.note)])
        }
        let found = key.withUnsafeBytes { keys.add($0) }
        if found.isNew {
            content.patterns.append(
                PatternRow(
                    route: route, direction: direction, first: content.patternStops.count, count: calls.count)
            )
            for (position, index) in stride(from: 2, to: key.count, by: 6).enumerated() {
                content.patternStops.append(
                    PatternStopRow(
                        sequence: rows[calls[position].row].sequence, stop: key[index],
                        arrival: key[index + 1],
                        departure: key[index + 2], boarding: key[index + 3], headsign: key[index + 4],
                        note: key[index + 5]))
            }
        }
        if hasRepeatedNumbers { content.patterns[found.index].isNumberedDifferently = true }
        if !found.isNew, !content.patterns[found.index].isNumberedDifferently {
            let first = content.patterns[found.index].first
            content.patterns[found.index].isNumberedDifferently = calls.indices.contains {
                content.patternStops[first + $0].sequence != rows[calls[$0].row].sequence
            }
        }
        content.trips[trip].pattern = Int32(found.index)
        content.trips[trip].start = start
        // A frequency-based trip is a template, not a departure.
        guard !content.trips[trip].hasFrequencies else { return }
        content.patterns[found.index].firstStart = min(content.patterns[found.index].firstStart, start)
        content.patterns[found.index].lastStart = max(content.patterns[found.index].lastStart, start)
    }
}

/// Times of calls between timepoints.
enum StopTimeInterpolation {
    /// Interpolates the missing times, by distance if it is known at all calls between the two timepoints
    /// and increases, else evenly; rounds to seconds. Returns the number of interpolated times.
    ///
    /// The first and the last call must have times.
    static func fill(_ calls: inout [PatternBuilder.Call], _ rows: StopTimeRows) -> Int {
        var filled = 0
        var known = 0
        for next in calls.indices.dropFirst() where calls[next].departure >= 0 {
            defer { known = next }
            guard next - known > 1 else { continue }
            let span = Double(calls[next].arrival - calls[known].departure)
            let along = (known...next).map { rows[calls[$0].row].distance }
            let length = along[next - known] - along[0]
            let grows = length > 0 && zip(along, along.dropFirst()).allSatisfy { $0 <= $1 }
            for index in known + 1..<next {
                let share =
                    grows
                    ? (along[index - known] - along[0]) / length
                    : Double(index - known) / Double(next - known)
                let time = calls[known].departure + Int32((span * share).rounded())
                calls[index].arrival = time
                calls[index].departure = time
                filled += 1
            }
        }
        return filled
    }
}
