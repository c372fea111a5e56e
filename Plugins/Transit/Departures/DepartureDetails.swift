import GRDB
import PluginKit
import TrailStores

extension DepartureSearch {
    /// The headsign of a run of a message: its own, else that of the timetable unless its calls are others.
    private func headsign(
        _ run: LiveRun, _ call: LiveRun.Call?, known: String?, _ fetch: StopFetch
    ) throws -> String? {
        if let own = call?.properties.headsign { return own }
        if let own = run.headsign { return own }
        guard run.kind == .changed, let last = run.lastCall else {
            let end = try run.earlyEnd.flatMap { try fetch.stop($0)?.title }
            return known.map { LiveRun.headsign($0, endingAt: end) }
        }
        return try fetch.stop(run.calls[last].stop)?.title ?? known
    }

    /// The departures of runs, with all their fields.
    func details(_ runs: [BoardRun], asked: Double) throws -> [Departure] {
        try feed.read { db in
            let trips = try RawStatement(
                db,
                """
                SELECT trip_id, trip_headsign, wheelchair_accessible, service_id, \(feed.layout.shortName),
                  \(feed.layout.bikes)
                  FROM \(feed.layout.trips) t WHERE rowid = ?
                """, isCached: true)
            let calls = try RawStatement(
                db,
                """
                SELECT \(feed.layout.stopHeadsign), \(feed.layout.pickup), \(feed.layout.callNote), \(feed.layout.dropOff)
                  FROM \(feed.layout.calls) c WHERE c.pid = ? AND c.stop_sequence = ?
                """, isCached: true)
            let ends = try RawStatement(
                db,
                """
                SELECT c.sid FROM \(feed.layout.calls) c WHERE c.pid = ? ORDER BY c.stop_sequence DESC LIMIT 1
                """, isCached: true)
            let begins = try RawStatement(
                db,
                """
                SELECT c.sid FROM main.pattern_stops c WHERE c.pid = ? ORDER BY c.stop_sequence LIMIT 1
                """, isCached: true)
            let directions = try RawStatement(
                db, "SELECT \(feed.layout.direction) FROM main.patterns m WHERE m.pid = ?", isCached: true)
            let fetch = try StopFetch(db, feed.layout, feed.messageStops.withLock { $0 })
            return try runs.compactMap { run in
                let row = run.row
                trips.reset()
                trips.bind(1, row.trip)
                guard try trips.next(), let stop = try fetch.stop(row.call.stop) else { return nil }
                calls.reset()
                calls.bind(1, row.call.pattern)
                calls.bind(2, row.call.sequence)
                // The headsign at this stop overrides the trip's; without either, the last stop is shown.
                // A call that the timetable does not have has no facts of it.
                let hasCall = try calls.next() && (run.call.map { $0.sequence != nil } ?? true)
                let pickup = run.call?.pickup ?? (hasCall ? Int(calls.integer(1)) : 0)
                var note = hasCall ? calls.text(2) : nil
                if side == .arrivals {
                    let dropOff = run.call?.dropOff ?? (hasCall ? Int(calls.integer(3)) : 0)
                    note = Boarding.note(note, dropOff: dropOff, isFirst: false)
                }
                var headsign = hasCall ? feed.callSign(calls.text(0)) : nil
                if headsign ?? "" == "" { headsign = feed.tripSign(trips.text(1), of: trips.text(0)) }
                if headsign ?? "" == "" {
                    ends.reset()
                    ends.bind(1, row.call.pattern)
                    headsign = try ends.next() ? fetch.stop(ends.integer(0))?.title : nil
                }
                if let own = run.run {
                    headsign = try self.headsign(own, run.call, known: headsign, fetch)
                }
                var origin: String?
                if side == .arrivals {
                    if let first = run.run?.firstCall {
                        origin = try fetch.stop(run.run?.calls[first].stop ?? 0)?.title
                    } else {
                        begins.reset()
                        begins.bind(1, row.call.pattern)
                        origin = try begins.next() ? fetch.stop(begins.integer(0))?.title : nil
                    }
                }
                let route = feed.routes[row.call.route]
                directions.reset()
                directions.bind(1, row.call.pattern)
                let hasDirection = try directions.next() && !directions.isNull(0)
                return Departure(
                    side: side, row: row, stop: stop, origin: origin, route: route?.name ?? "",
                    routeID: route?.id ?? "",
                    routeType: route?.type ?? -1, color: route?.color, headsign: headsign ?? "",
                    wheelchair: run.run?.wheelchair ?? (trips.isNull(2) ? nil : Int(trips.integer(2))),
                    trip: run.run?.trip ?? trips.text(0) ?? "",
                    service: trips.text(3) ?? "", asked: asked, zone: stop.zone ?? route?.zone ?? feed.zone,
                    live: run.live,
                    direction: hasDirection ? Int(directions.integer(0)) : nil, agency: route?.agency,
                    isNamesake: route?.isNamesake ?? false,
                    train: trips.text(4).flatMap { $0.isEmpty ? nil : $0 }, pickup: pickup,
                    bikes: trips.isNull(5) ? nil : Int(trips.integer(5)), note: note,
                    occupancy: run.call.flatMap { run.run?.occupancy(at: $0) }
                )
            }
        }
    }
}
