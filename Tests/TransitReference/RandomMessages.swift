/// Random messages about a feed, most of them unusual and many not allowed: all relations, contradictory, foreign and
/// missing numbers, unknown stops, other platforms, repeated and old updates, runs beside the headway.
public struct RandomMessages {
    private let timetable: PlainTimetable
    private let routes: [String]
    private let headways: [String]
    private let platforms: [String]
    private let stations: [String: String]

    /// Messages about a feed.
    public init(_ tables: [String: String]) {
        timetable = PlainTimetable(tables)
        routes = PlainTables.rows(tables["routes.txt"]).map { $0["route_id"] ?? "" }
        headways = PlainTables.rows(tables["frequencies.txt"]).map { $0["trip_id"] ?? "" }
        let stops = PlainTables.rows(tables["stops.txt"])
        platforms = stops.filter { ["", "0"].contains($0["location_type"] ?? "") }.map { $0["stop_id"] ?? "" }
        stations = Dictionary(
            stops.map { ($0["stop_id"] ?? "", $0["parent_station"] ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    /// The state of one message.
    private struct Draw<Source: RandomNumberGenerator> {
        var source: Source
        let now: Int
        let days: [Int]

        mutating func pick(_ low: Int, _ high: Int) -> Int { Int.random(in: low...high, using: &source) }
        mutating func pick<T>(_ list: [T]) -> T { list[pick(0, list.count - 1)] }
        /// Once in some times.
        mutating func once(in times: Int) -> Bool { pick(1, times) == 1 }
    }

    /// A message at an instant about the runs of some days.
    public func message(days: [Int], now: Int, using random: inout some RandomNumberGenerator) -> PlainMessage
    {
        var draw = Draw(source: random, now: now, days: days)
        var updates: [PlainMessage.Update] = []
        for _ in 0..<draw.pick(20, 70) {
            var update = update(&draw)
            update.timestamp = draw.pick([
                nil, nil, nil, now - draw.pick(0, 3) * 100, now - draw.pick(0, 9) * 100,
            ])
            updates.append(update)
            guard draw.once(in: 6) else { continue }
            // The same run once more: as new with the same content, newer, older or contradictory.
            var again = update
            again.timestamp = draw.pick([update.timestamp, now - draw.pick(0, 500)])
            if draw.once(in: 2) { again.delay = draw.pick(-2, 20) * 60 }
            updates.append(again)
        }
        var message = PlainMessage(time: draw.once(in: 12) ? now - 700 : now - 30, updates: updates)
        for _ in 0..<draw.pick(0, 6) { message.detours.append(detour(&draw)) }
        random = draw.source
        return message
    }

    /// A detour of some trips, most of them of one line.
    private func detour<Source>(_ draw: inout Draw<Source>) -> PlainMessage.Detour {
        var detour = PlainMessage.Detour()
        let trip = draw.pick(timetable.trips)
        let others = timetable.trips.filter { $0.route == trip.route }
        detour.trips = [trip.id] + (0..<draw.pick(0, 3)).map { _ in draw.pick(others).id }
        if draw.once(in: 8) { detour.trips.append("unknown") }
        detour.days = draw.once(in: 10) ? [] : draw.pick([draw.days, [draw.pick(draw.days)]])
        if draw.once(in: 3) { detour.starts = [draw.pick(trip.starts), draw.pick(trip.starts) + 77] }
        for _ in 0..<draw.pick(0, 2) {
            let first = draw.pick(0, trip.calls.count - 1)
            var change = PlainMessage.Detour.Change(first: selector(trip.calls[first], &draw))
            if !draw.once(in: 4) {
                let last = draw.pick(draw.once(in: 8) ? 0 : first, trip.calls.count - 1)
                change.last = selector(trip.calls[last], &draw)
            }
            change.delay = draw.pick([0, 0, 60, 300, 900, -120])
            var seconds = draw.pick(first == 0 ? -300 : 30, 400)
            for _ in 0..<draw.pick(0, 3) {
                let stop = draw.once(in: 8) ? "nowhere" : draw.pick(platforms)
                change.stops.append(PlainMessage.Detour.Replacement(stop: stop, seconds: seconds))
                seconds += draw.pick([60, 120, 300, -90])
            }
            detour.changes.append(change)
        }
        return detour
    }

    private func selector<Source>(
        _ call: PlainTimetable.Call, _ draw: inout Draw<Source>
    ) -> PlainMessage.Detour.Selector {
        var selector = PlainMessage.Detour.Selector()
        let naming = draw.pick(0, 8)
        if naming != 0, naming < 6 { selector.sequence = call.sequence }
        if naming != 1 { selector.stop = draw.once(in: 15) ? draw.pick(platforms) : call.stop }
        return selector
    }

    private func update<Source>(_ draw: inout Draw<Source>) -> PlainMessage.Update {
        var update = PlainMessage.Update()
        update.relation = draw.pick([0, 0, 0, 0, 0, 0, 0, 2, 3, 5, 7, 1, 8, 6, 4, 11])
        var trip = draw.pick(timetable.trips)
        if draw.once(in: 8), let other = timetable.trips.first(where: { headways.contains($0.id) }) {
            trip = other
        }
        update.trip = trip.id
        update.day = draw.once(in: 5) ? nil : draw.pick(draw.days)
        if headways.contains(trip.id) {
            update.start = draw.pick([
                nil, trip.starts[0], draw.pick(trip.starts), draw.pick(trip.starts) + 250,
            ])
        }
        if draw.once(in: 6) {
            // By its line and start instead of its identifier.
            update.trip = draw.pick(["", "unknown"])
            update.route = draw.pick([routes[trip.route], routes[trip.route], "unknown", ""])
            update.start = draw.pick([trip.starts[0], draw.pick(trip.starts), nil])
        }
        switch update.relation {
        case 1, 5, 8:
            if update.relation != 5 {
                update.trip = draw.once(in: 15) ? "" : "N\(draw.pick(1, 4))"
                update.route = draw.pick([routes[trip.route], "", "unknown"])
            }
            update.entries = own(&draw)
        case 6:
            update.copy = ("C\(draw.pick(1, 9))", draw.pick(draw.days), draw.pick(300, 1400) * 60)
            update.entries = entries(trip, update, &draw).filter { $0.relation != 1 }
        default:
            update.entries = entries(trip, update, &draw)
        }
        if draw.once(in: 6) { update.delay = draw.pick(-3, 30) * 60 }
        return update
    }

    /// The calls of a run that an update gives itself.
    private func own<Source>(_ draw: inout Draw<Source>) -> [PlainMessage.Entry] {
        var time = timetable.moment(draw.pick(draw.days), draw.pick(4, 23), draw.pick(0, 59))
        let isNumbered = draw.once(in: 2)
        var made: [PlainMessage.Entry] = []
        for number in 0..<draw.pick(1, 5) {
            var entry = PlainMessage.Entry()
            if isNumbered { entry.sequence = number + 1 }
            entry.stop = draw.once(in: 12) ? draw.pick(["", "nowhere"]) : draw.pick(platforms)
            entry.relation = draw.pick([0, 0, 0, 0, 0, 0, 0, 1, 2, 3])
            let wait = draw.pick(0, 3) * 60
            if !draw.once(in: 6) { entry.arrival = PlainMessage.Event(time: time) }
            if !draw.once(in: 6) { entry.departure = PlainMessage.Event(time: time + wait) }
            if draw.once(in: 4) { entry.departure?.scheduled = time - draw.pick(0, 9) * 60 }
            if draw.once(in: 15) { entry.assigned = draw.pick(platforms) }
            made.append(entry)
            time += wait + draw.pick([60, 120, 300, 600, 900, -30, -30, -300])
        }
        if isNumbered, draw.once(in: 3) { made.shuffle(using: &draw.source) }
        return made
    }

    /// The entries of an update for the calls of a run.
    private func entries<Source>(
        _ trip: PlainTimetable.Trip, _ update: PlainMessage.Update, _ draw: inout Draw<Source>
    ) -> [PlainMessage.Entry] {
        let day = update.copy?.day ?? update.day ?? draw.pick(draw.days)
        let start = update.copy?.start ?? update.start ?? trip.starts[0]
        let base = timetable.moment(day, 12, 0) - 43_200 + start - (trip.calls[0].departure ?? 0)
        let naming = draw.pick(0, 5)
        var late = draw.pick(-3, 25) * 60
        var made: [PlainMessage.Entry] = []
        for call in trip.calls where draw.once(in: 2) {
            var entry = PlainMessage.Entry()
            if naming != 1 { entry.sequence = call.sequence }
            if naming != 0 { entry.stop = call.stop }
            entry.relation = draw.pick([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 6])
            func event(_ planned: Int) -> PlainMessage.Event? {
                switch draw.pick(0, 5) {
                case 0: nil
                case 1, 2: PlainMessage.Event(delay: late)
                case 3: PlainMessage.Event(delay: draw.pick(-9, 9), time: planned + late)
                default: PlainMessage.Event(time: planned + late)
                }
            }
            entry.arrival = event(base + (call.arrival ?? 0))
            entry.departure = event(base + (call.departure ?? 0))
            if draw.once(in: 12) { entry.assigned = draw.pick(platforms + ["nowhere"]) }
            made.append(entry)
            late += draw.pick([0, 0, 0, 0, 0, 0, 60, 60, -40, 300, -600])
        }
        guard !made.isEmpty else { return made }
        switch draw.pick(0, 20) {
        case 0: for index in made.indices { made[index].sequence = made[index].sequence.map { $0 + 1 } }
        case 1: made.shuffle(using: &draw.source)
        case 2: made.append(draw.pick(made))
        case 3:
            var stray = PlainMessage.Entry()
            stray.stop = draw.pick(platforms + ["nowhere"])
            stray.departure = PlainMessage.Event(delay: late)
            made.insert(stray, at: draw.pick(0, made.count))
        case 4:
            let index = draw.pick(0, made.count - 1)
            made[index].stop =
                stations[made[index].stop].flatMap { $0.isEmpty ? nil : $0 } ?? made[index].stop
        case 5: made[draw.pick(0, made.count - 1)].sequence = 99
        case 6: made[draw.pick(0, made.count - 1)].departure = PlainMessage.Event(delay: 50_000)
        default: break
        }
        return made
    }
}
