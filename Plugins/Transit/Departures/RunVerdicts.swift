import CivilTime
import GRDB
import PluginKit
import TrailStores

/// What became of the runs that a search considered, once its list is complete.
struct RunVerdicts {
    private struct Key: Hashable {
        var trip: Int64
        var start: Int
        var day: CivilDate

        init(_ row: DepartureRow) { (trip, start, day) = (row.trip, row.start, row.day) }
    }

    /// A run with the identifiers of its trip and its service.
    typealias NamedRun = (run: ConsideredRun, trip: String, service: String)

    private let feed: Feed
    private let listed: [Key: [DepartureRow]]
    private let count: Int

    init(_ feed: Feed, listed rows: [DepartureRow]) {
        self.feed = feed
        listed = Dictionary(grouping: rows, by: Key.init)
        count = rows.count
    }

    /// Runs by day, time, route and trip.
    func named(_ runs: [ConsideredRun]) throws -> [NamedRun] {
        let named = try feed.read { db in
            let trips = try RawStatement(
                db, "SELECT trip_id, service_id FROM \(feed.layout.trips) WHERE rowid = ?", isCached: true)
            return try runs.map { run -> NamedRun in
                trips.reset()
                trips.bind(1, run.row.trip)
                guard try trips.next() else { return (run, "", "") }
                return (run, trips.text(0) ?? "", trips.text(1) ?? "")
            }
        }
        return named.sorted {
            let (a, b) = ($0.run.row, $1.run.row)
            return (a.day, a.time, a.rank, $0.trip) < (b.day, b.time, b.rank, $1.trip)
        }
    }

    /// The step of a run.
    func step(_ named: NamedRun) -> TraceStep {
        let row = named.run.row
        let (outcome, why) = verdict(named.run, named.service)
        return DepartureSteps.trip(
            named.trip, service: named.service, route: feed.routes[row.call.route]?.name ?? "",
            day: row.day, scheduled: row.start + row.call.offset, moment: row.time, outcome, why: why)
    }

    /// Whether a run is listed, and the reason.
    private func verdict(_ run: ConsideredRun, _ service: String) -> (DepartureSteps.Outcome, String) {
        let (row, day) = (run.row, run.row.day)
        let (calendar, week) = feed.calendar.verdict(service, on: day)
        let rule = DepartureSteps.reason(calendar, week, service: service, day: day)
        switch run.refusal {
        case .notRunning: return (.notRunning, rule)
        case .gone: return (.gone, "it departs before the requested time")
        case .tooLate: return (.tooLate, "it departs after the end of the search")
        case .atEarlierCall, nil: break
        }
        let same = listed[Key(row)] ?? []
        if same.contains(where: { $0.call.sequence == row.call.sequence && $0.call.stop == row.call.stop }) {
            return (.listed, rule)
        }
        if run.refusal == .atEarlierCall, same.contains(where: { $0.time <= row.time }) {
            return (.elsewhere, "the trip is listed at its earlier call")
        }
        return (.beyondLimit, "\(count) others depart before it")
    }
}
