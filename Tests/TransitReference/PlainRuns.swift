/// The runs of some days with a message, by the GTFS-realtime reference and what the README says of messages that contradict
/// themselves. It shares nothing with the program: assignments are found by trying all.
public struct PlainRuns {
    /// A call; times are seconds since 1970.
    struct Call {
        var stop: String
        var sequence: Int?
        var arrival: Int
        var departure: Int
        var expectedArrival: Int
        var expectedDeparture: Int
        var pickup = ""
        var dropOff = ""
        var isSkipped = false
        /// Whether a message says something of it, or allows no other time.
        var hasNews = false

        init(_ stop: String, _ sequence: Int?, _ arrival: Int, _ departure: Int) {
            (self.stop, self.sequence) = (stop, sequence)
            (self.arrival, expectedArrival) = (arrival, arrival)
            (self.departure, expectedDeparture) = (departure, departure)
        }
    }

    enum State { case scheduled, updated, cancelled, deleted, added }

    struct Run {
        var trip: String
        var day: Int
        /// Seconds of the service day.
        var start: Int
        var state = State.scheduled
        var calls: [Call]
        /// When the news of it was measured.
        var time = 0
        /// Whether a message gives it other calls.
        var isReplaced = false

        var served: [Int] { calls.indices.filter { !calls[$0].isSkipped } }

        /// Whether the vehicle is at the stop of a call until the next call, at the same stop, with which it leaves or ends.
        func staysAfter(_ index: Int) -> Bool {
            let next = index + 1
            guard next < calls.count, calls[next].stop == calls[index].stop,
                calls[next].isSkipped == calls[index].isSkipped
            else { return false }
            return next == calls.count - 1 || calls[next].pickup != "1" || staysAfter(next)
        }
    }

    /// Seconds after which a prediction is too old; by which times may run backwards; within which an undated update and
    /// its run lie.
    static let (stale, slack, reach) = (600, 60, 12 * 3600)
    /// The trips of a vehicle through which riders may stay seated.
    private static let seatedTrips = 4

    let timetable: PlainTimetable
    let stations: [String: String]
    let known: Set<String>
    private let routes: [String: Int]
    let periods: [String: [(start: Int, end: Int, headway: Int, isExact: Bool)]]
    /// The block of each trip with times of its own, and the trips by their identifiers.
    private let blocks: [String: String]
    let plan: [String: PlainTimetable.Trip]
    var runs: [Run] = []

    /// The runs of the days around one; without a message, those of the timetable.
    public init(_ tables: [String: String], day: Int, message: PlainMessage?, now: Int) {
        timetable = PlainTimetable(tables)
        let stops = PlainTables.rows(tables["stops.txt"])
        known = Set(stops.map { $0["stop_id"] ?? "" })
        stations = Dictionary(
            stops.compactMap { row in
                (row["parent_station"] ?? "").isEmpty
                    ? nil : (row["stop_id"] ?? "", row["parent_station"] ?? "")
            }, uniquingKeysWith: { first, _ in first })
        routes = Dictionary(
            PlainTables.rows(tables["routes.txt"]).enumerated().map { ($1["route_id"] ?? "", $0) },
            uniquingKeysWith: { first, _ in first })
        periods = Dictionary(grouping: PlainTables.rows(tables["frequencies.txt"])) { $0["trip_id"] ?? "" }
            .mapValues { rows in
                rows.map { row in
                    func seconds(_ text: String?) -> Int {
                        (text ?? "").split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) }
                    }
                    return (
                        seconds(row["start_time"]), seconds(row["end_time"]),
                        Int(row["headway_secs"] ?? "") ?? 1,
                        row["exact_times"] == "1"
                    )
                }
            }
        let headways = Set(periods.keys)
        blocks = Dictionary(
            PlainTables.rows(tables["trips.txt"]).compactMap { row in
                let (trip, block) = (row["trip_id"] ?? "", row["block_id"] ?? "")
                return block.isEmpty || headways.contains(trip) ? nil : (trip, block)
            }, uniquingKeysWith: { first, _ in first })
        plan = Dictionary(timetable.trips.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for shift in -2...2 {
            let day = timetable.day(day, plus: shift)
            for trip in timetable.trips where timetable.runs(trip.service, on: day) {
                runs += trip.starts.map { planned(trip, day, $0) }
            }
        }
        if let message, now - message.time <= Self.stale { apply(message, now) }
    }

    private func reference(_ day: Int) -> Int { timetable.moment(day, 12, 0) - 43_200 }

    func planned(_ trip: PlainTimetable.Trip, _ day: Int, _ start: Int) -> Run {
        let base = reference(day) + start - (trip.calls[0].departure ?? 0)
        return Run(
            trip: trip.id, day: day, start: start,
            calls: trip.calls.map { call in
                var made = Call(
                    call.stop, call.sequence, base + (call.arrival ?? 0), base + (call.departure ?? 0))
                (made.pickup, made.dropOff) = (call.pickup, call.dropOff)
                return made
            })
    }

    // MARK: Messages

    /// An identity of a run.
    struct Key: Hashable {
        var trip: String
        var day: Int
        var start: Int
    }

    mutating func apply(_ message: PlainMessage, _ now: Int) {
        apply(message.detours)
        var found: [Key: [PlainMessage.Update]] = [:]
        var order: [Key] = []
        for var update in message.updates {
            let time = update.timestamp ?? message.time
            update.timestamp = time
            let isPrediction = update.relation == 0 || update.relation == 2
            if isPrediction, time < now - Self.stale { continue }
            switch update.relation {
            case 1, 8: add(update)
            case 6: duplicate(update)
            case 0, 2, 3, 5, 7:
                guard let key = key(update, time) else { continue }
                if found[key] == nil { order.append(key) }
                found[key, default: []].append(update)
            default: continue
            }
        }
        defer { carryDelays() }
        for key in order {
            let updates = found[key] ?? []
            let newest = updates.filter { $0.timestamp == updates.compactMap(\.timestamp).max() }
            guard let first = newest.first else { continue }
            let isOne = newest.allSatisfy {
                $0.relation == first.relation && $0.delay == first.delay && $0.entries == first.entries
            }
            // Of contradictory news a cancellation counts.
            guard let used = isOne ? first : newest.first(where: { $0.relation == 3 }) else { continue }
            apply(used, to: key)
        }
    }

    // MARK: Vehicles of several trips

    /// A vehicle that comes too late for its next trip, of which the message says nothing, makes the whole of it later.
    private mutating func carryDelays() {
        let own = runs.indices.filter { runs[$0].state != .added && blocks[runs[$0].trip] != nil }
        for group in Dictionary(grouping: own, by: { "\(blocks[runs[$0].trip] ?? "")@\(runs[$0].day)" })
            .values
        {
            let order = group.sorted { (runs[$0].start, runs[$0].trip) < (runs[$1].start, runs[$1].trip) }
            for (before, next) in zip(order, order.dropFirst()) {
                guard runs[before].state == .updated, runs[next].state == .scheduled,
                    runs[before].start < runs[next].start, let last = runs[before].served.last,
                    runs[before].calls[last].hasNews
                else { continue }
                let late = runs[before].calls[last].expectedArrival - runs[next].calls[0].departure
                guard late > 0 else { continue }
                runs[next].state = .updated
                for call in runs[next].calls.indices {
                    runs[next].calls[call].expectedArrival += late
                    runs[next].calls[call].expectedDeparture += late
                    runs[next].calls[call].hasNews = true
                }
            }
        }
    }

    /// The runs that riders can use: each by itself, and those of a vehicle one after the other. A vehicle's next trip is the next of
    /// its block on the day, if it begins where and not before the trip ends by the timetable.
    func rides() -> [[Run]] {
        let usable = runs.filter { $0.state != .cancelled && $0.state != .deleted }
        var found = usable.map { [$0] }
        let own = runs.filter { $0.state != .added && blocks[$0.trip] != nil }
        for group in Dictionary(grouping: own, by: { "\(blocks[$0.trip] ?? "")@\($0.day)" }).values {
            let order = group.sorted { ($0.start, $0.trip) < ($1.start, $1.trip) }
            for first in order.indices {
                var sequence = [order[first]]
                for next in order[(first + 1)...] {
                    guard let before = plan[sequence[sequence.count - 1].trip], let after = plan[next.trip],
                        before.calls.last?.stop == after.calls.first?.stop,
                        (before.calls.last?.arrival ?? 0) <= after.calls.first?.departure ?? 0,
                        before.starts[0] < after.starts[0]
                    else { break }
                    // With other calls it may end, or begin, elsewhere; it does not stop where the call is skipped.
                    let last = sequence[sequence.count - 1]
                    if last.calls.last?.isSkipped ?? true || next.calls.first?.isSkipped ?? true { break }
                    if last.isReplaced, last.calls.last?.stop != before.calls.last?.stop { break }
                    if next.isReplaced, next.calls.first?.stop != after.calls.first?.stop { break }
                    sequence.append(next)
                    if sequence.count > Self.seatedTrips { break }
                    if sequence.allSatisfy({ $0.state != .cancelled && $0.state != .deleted }) {
                        found.append(sequence)
                    }
                }
            }
        }
        return found
    }

    // MARK: The run of an update

    func key(_ update: PlainMessage.Update, _ time: Int) -> Key? {
        let isOn = { (trip: PlainTimetable.Trip, day: Int) in timetable.runs(trip.service, on: day) }
        if let trip = timetable.trips.first(where: { $0.id == update.trip }) {
            if let periods = periods[trip.id] {
                guard let start = update.start,
                    let day = update.day ?? nearest(trip, start, time), isOn(trip, day)
                else { return nil }
                let isPossible = periods.contains {
                    !$0.isExact
                        || $0.start <= start && start < $0.end && (start - $0.start) % $0.headway == 0
                }
                return isPossible ? Key(trip: trip.id, day: day, start: start) : nil
            }
            if let given = update.day {
                let day = isCalendarDay(given, trip, update, time) ? timetable.day(given, plus: -1) : given
                return isOn(trip, day) ? Key(trip: trip.id, day: day, start: trip.starts[0]) : nil
            }
            // Without a day: the run that lies nearest to the update, unless two do.
            let today = local(time)
            let gaps = (-3...3).map { timetable.day(today, plus: $0) }.filter { isOn(trip, $0) }.map { day in
                (day, gap(update, planned(trip, day, trip.starts[0]), time))
            }.filter { $0.1 <= Self.reach }
            guard let least = gaps.map(\.1).min() else { return nil }
            let best = gaps.filter { $0.1 == least }
            return best.count == 1 ? Key(trip: trip.id, day: best[0].0, start: trip.starts[0]) : nil
        }
        guard let start = update.start, let route = routes[update.route] else { return nil }
        var keys: [Key] = []
        // Of the runs after midnight that the update names by the clock and the calendar.
        var nights: [Key] = []
        for trip in timetable.trips where trip.route == route {
            let late = start + 86_400
            if periods[trip.id] == nil, trip.starts[0] == late,
                let day = update.day.map({ timetable.day($0, plus: -1) }) ?? nearest(trip, late, time),
                isOn(trip, day)
            {
                nights.append(Key(trip: trip.id, day: day, start: late))
            }
            guard let day = update.day ?? nearest(trip, start, time), isOn(trip, day) else { continue }
            let isThere =
                periods[trip.id].map { periods in
                    periods.contains {
                        $0.start <= start && start < $0.end
                            && (!$0.isExact || (start - $0.start) % $0.headway == 0)
                    }
                } ?? trip.starts.contains(start)
            if isThere { keys.append(Key(trip: trip.id, day: day, start: start)) }
        }
        if keys.isEmpty { keys = nights }
        return keys.count == 1 ? keys[0] : nil
    }

    /// Whether the day of an update about a run that begins after midnight is that of the calendar: its trip does not run on it as a
    /// service day, or the instants of the update are nearer to the run of the day before.
    private func isCalendarDay(
        _ given: Int, _ trip: PlainTimetable.Trip, _ update: PlainMessage.Update, _ time: Int
    ) -> Bool {
        let before = timetable.day(given, plus: -1)
        let start = trip.starts[0]
        guard start >= 86_400, update.start == nil || update.start == start,
            timetable.runs(trip.service, on: before)
        else { return false }
        let miss = gap(update, planned(trip, before, start), time)
        if miss > Self.reach { return false }
        if !timetable.runs(trip.service, on: given) { return true }
        let hasInstants = update.entries.contains { $0.arrival?.time != nil || $0.departure?.time != nil }
        return hasInstants && miss < gap(update, planned(trip, given, start), time)
    }

    /// The local day of an instant.
    func local(_ time: Int) -> Int {
        var day = 20_260_101
        while timetable.moment(timetable.day(day, plus: 1), 0, 0) <= time {
            day = timetable.day(day, plus: 1)
        }
        return day
    }

    /// The day on which a start is nearest to an instant.
    private func nearest(_ trip: PlainTimetable.Trip, _ start: Int, _ time: Int) -> Int? {
        let days = (-3...3).map { timetable.day(local(time), plus: $0) }
        let gaps = days.filter { timetable.runs(trip.service, on: $0) }.map {
            ($0, abs(reference($0) + start - time))
        }
        return gaps.filter { $0.1 <= Self.reach }.min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// How far an update is from a run: by its first instant at one of the run's stops; else how far its first instant, and
    /// without any its own time, is from the whole run.
    private func gap(_ update: PlainMessage.Update, _ run: Run, _ time: Int) -> Int {
        for entry in update.entries {
            guard let instant = entry.departure?.time ?? entry.arrival?.time else { continue }
            let calls = run.calls.filter {
                entry.stop.isEmpty ? $0.sequence == entry.sequence : $0.stop == entry.stop
            }
            if let least = calls.map({ abs(instant - $0.departure) }).min() { return least }
        }
        let end = (run.calls.last?.arrival ?? 0) + max(0, update.delay ?? 0)
        let begin = reference(run.day) + run.start
        let instants = update.entries.compactMap { $0.departure?.time ?? $0.arrival?.time }
        let own = instants.first ?? time
        return max(0, begin - own, own - end)
    }

    // MARK: Boards

    /// `T1-2 S0P1 1770364800 1770364860 -`: trip, stop, planned and expected departure of each visit of a run at a stop or its parts, in
    /// the order of the texts; C for cancelled, S for a skipped call, E where the run ends early.
    public func board(_ stop: String, from: Int, until end: Int) -> [String] {
        let parts = timetable.groups[stop] ?? []
        var rows: [String] = []
        for run in runs where run.state != .deleted {
            let last = run.served.last ?? run.calls.count
            let endsEarly = run.state != .cancelled && last < run.calls.count - 1
            // Of the calls at these stops with no other stop between them one row: the first that is not skipped.
            var visit: [(row: String, isSkipped: Bool)] = []
            func close() {
                if let shown = visit.first(where: { !$0.isSkipped }) ?? visit.first { rows.append(shown.row) }
                visit = []
            }
            for (index, call) in run.calls.enumerated().dropLast() {
                guard parts.contains(call.stop) else {
                    close()
                    continue
                }
                let isEnd = endsEarly && index == last
                guard call.expectedDeparture >= from, call.expectedDeparture < end,
                    isEnd || call.pickup != "1" && (index < last || call.isSkipped), !run.staysAfter(index)
                else { continue }
                let mark = run.state == .cancelled ? "C" : call.isSkipped ? "S" : isEnd ? "E" : "-"
                visit.append(
                    (
                        "\(run.trip) \(call.stop) \(call.departure) \(call.expectedDeparture) \(mark)",
                        call.isSkipped
                    ))
            }
            close()
        }
        return rows.sorted()
    }

    /// The stops that have boards.
    public var stops: [String] { timetable.stops }

    /// An instant by local time.
    public func moment(_ day: Int, _ hour: Int, _ minute: Int) -> Int { timetable.moment(day, hour, minute) }
}
