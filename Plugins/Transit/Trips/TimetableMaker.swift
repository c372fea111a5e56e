import CivilTime
import PluginKit

/// Makes the printed timetable of a line on a service day: from its trips, and from the runs of realtime messages in their
/// place.
struct TimetableMaker {
    private let feed: Feed
    private let line: LineObject
    private let day: CivilDate
    private let live: LiveTimetable?
    /// The instant from which the times of the service day count, in seconds since 1970.
    private let reference: Int

    /// A run of the day with its stops, in order; times in seconds of the service day.
    private struct Run {
        var trip: String
        var row: Int64
        var start: Int
        var headsign: String?
        var direction: Int?
        var stops: [Int64]
        var times: [Int]
        /// The run of a message.
        var live: LiveRun?
    }

    init(_ feed: Feed, _ line: LineObject, on day: CivilDate, live: LiveTimetable?) {
        (self.feed, self.line, self.day, self.live) = (feed, line, day, live)
        reference = ServiceDay.reference(day, in: feed.zone(ofRoute: line.number))
    }

    /// The timetable of a direction; without one that of the first that runs.
    func timetable(direction asked: Int?, limit: Int) throws -> LineTimetable {
        var found = try scheduled()
        for run in try added() {
            found[direction(of: run, among: found), default: []].append(run)
        }
        let direction = asked ?? found.keys.min() ?? 0
        var runs = found[direction] ?? []
        let others = found.filter { $0.key != direction }.sorted { $0.key < $1.key }.map { other in
            "direction \(other.key) has \(other.value.count, of: "trip"): --direction \(other.key)"
        }
        runs.sort { ($0.start, $0.row, $0.trip) < ($1.start, $1.row, $1.trip) }
        let total = runs.count
        runs = Array(runs.prefix(limit))
        // The longest patterns first: shorter ones fall into their gaps.
        var patterns: [[Int64]] = []
        for run in runs where !patterns.contains(run.stops) { patterns.append(run.stops) }
        let order = patterns.indices.sorted {
            (-patterns[$0].count, $0) < (-patterns[$1].count, $1)
        }
        let merged = StopMerge.rows(of: order.map { patterns[$0] })
        let rows = Dictionary(uniqueKeysWithValues: zip(order.map { patterns[$0] }, merged.rows))
        let names = Dictionary(
            try feed.stops.rows(merged.stops).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }
        )
        var signs: [String: Int] = [:]
        for run in runs {
            let last = run.stops.last.flatMap { names[$0]?.title } ?? ""
            signs[run.headsign.flatMap { $0.isEmpty ? nil : $0 } ?? last, default: 0] += 1
        }
        let towards = signs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        return LineTimetable(
            route: line.route, towards: towards.joined(separator: " / "), direction: direction, day: day,
            stops: merged.stops.compactMap { names[$0] },
            runs: runs.map { column($0, rows[$0.stops] ?? []) },
            cut: Cut(
                missing: total - runs.count, "the first \(runs.count) runs are shown; --limit shows more"),
            notes: others)
    }

    /// The runs of the timetable by direction; those that a message withdraws are not shown.
    private func scheduled() throws -> [Int: [Run]] {
        let active = feed.services(on: day)
        var calls: [Int64: [PatternCall]] = [:]
        var found: [Int: [Run]] = [:]
        for trip in try feed.trips.of(route: line.number) {
            guard let service = feed.calendar.services.find(trip.service), active.runs[service] else {
                continue
            }
            let own = try calls[trip.pattern] ?? feed.trips.calls(ofPattern: trip.pattern)
            calls[trip.pattern] = own
            for start in try feed.trips.starts(of: trip) {
                var run = Run(
                    trip: trip.id, row: trip.row, start: start.start, headsign: trip.headsign,
                    direction: trip.direction, stops: own.map(\.stop),
                    times: own.indices.map { index in
                        start.start + (index == own.count - 1 ? own[index].arrival : own[index].departure)
                    })
                if let news = live?.run(trip.row, day, start.start) {
                    if news.kind == .deleted { continue }
                    take(news, into: &run)
                }
                found[trip.direction ?? 0, default: []].append(run)
            }
        }
        return found
    }

    /// The runs that only a message has.
    private func added() throws -> [Run] {
        try (live?.runs ?? []).filter { $0.isBesideTimetable && $0.route == line.number && $0.day == day }.map
        {
            news in
            let facts = try news.row.flatMap { try feed.trips.with(row: $0) }
            var run = Run(
                trip: news.trip, row: news.row ?? .max, start: news.start,
                headsign: news.headsign ?? facts?.headsign, direction: facts?.direction, stops: [], times: [])
            take(news, into: &run)
            return run
        }
    }

    /// Gives a run the calls of a message, at the scheduled stops: a change of platform is no other row.
    private func take(_ news: LiveRun, into run: inout Run) {
        run.live = news
        run.headsign = news.headsign ?? (news.kind == .changed ? nil : run.headsign)
        run.stops = news.calls.map { $0.plannedStop ?? $0.stop }
        run.times = news.calls.indices.map { index in
            let call = news.calls[index]
            return (index == news.calls.count - 1 ? call.arrival : call.departure) - reference
        }
    }

    private func column(_ run: Run, _ rows: [Int]) -> LineTimetable.Run {
        var column = LineTimetable.Run(trip: run.trip, times: [:], start: run.start)
        for (index, row) in rows.enumerated() { column.times[row] = run.times[index] }
        guard let news = run.live else { return column }
        for (index, row) in rows.enumerated() {
            let call = news.calls[index]
            let isLast = index == rows.count - 1
            if news.kind == .cancelled || call.isSkipped {
                column.skipped.insert(row)
            } else if let time = isLast ? call.live?.predictedArrival : call.live?.predictedDeparture {
                column.expected[row] = time - reference
            }
        }
        column.status = status(news)
        return column
    }

    /// The status of a run: that of the first call that has data.
    private func status(_ news: LiveRun) -> String? {
        if news.kind == .cancelled { return "Cancelled" }
        let call = news.calls.dropLast().first { $0.live != nil && !$0.isSkipped }
        return call.flatMap { call in
            call.live?.status(scheduled: call.departure, predicted: call.live?.departure)
        }
    }

    /// The direction of a run that the timetable does not have: the one whose runs make most of its way, in its order.
    private func direction(of run: Run, among found: [Int: [Run]]) -> Int {
        if let own = run.direction { return own }
        func fit(_ runs: [Run]) -> Int {
            runs.map { other in
                let places = run.stops.compactMap { other.stops.firstIndex(of: $0) }
                return zip(places, places.dropFirst()).count { $0 < $1 }
            }.max() ?? 0
        }
        let best = found.sorted { $0.key < $1.key }.map { (key: $0.key, fit: fit($0.value)) }
            .max { ($0.fit, -$0.key) < ($1.fit, -$1.key) }
        return best?.key ?? 0
    }
}
