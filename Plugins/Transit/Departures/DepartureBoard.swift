import Foundation
import GRDB
import PluginKit
import TrailStores

/// The departures from a stop.
package struct DepartureBoard: Sendable {
    package var departures: [Departure]
    /// The next departure, searched only if there is none in the window.
    package var next: Departure?
    /// The start of the search, seconds since 1970.
    var asked: Double
    /// The age of the realtime information and whether it is used; `nil` without any.
    var information: String?
    /// A note that days of the board are outside the feed's validity; `nil` if all are in it.
    var validity: String?
    /// The active alerts about the stop, its lines or the listed trips.
    var alerts: [ServiceAlert] = []

    /// The message if there is no departure in the window.
    static let none = "No upcoming departures at this time"
}

/// A run at a stop: its scheduled departure, and its realtime data.
struct BoardRun: Sendable {
    var row: DepartureRow
    var live: LiveCall?
}

extension Feed {
    /// The departures of a stop and its platforms from an instant (seconds since 1970), with the realtime data of an
    /// instant; from the schedule alone if there is none or it is outdated.
    package func board(of stop: StopRecord, at moment: Double, within window: Double, limit: Int) throws
        -> DepartureBoard
    {
        try StopBoard(self, stop).board(at: moment, within: window, limit: limit, live: nil)
    }

    /// The departures of runs, with all their fields.
    func details(_ runs: [BoardRun], asked: Double) throws -> [Departure] {
        try read { db in
            let trips = try RawStatement(
                db,
                """
                SELECT trip_id, trip_headsign, wheelchair_accessible, service_id FROM \(layout.trips) WHERE rowid = ?
                """, isCached: true)
            let calls = try RawStatement(
                db,
                """
                SELECT \(layout.stopHeadsign) FROM \(layout.calls) c WHERE c.pid = ? AND c.stop_sequence = ?
                """, isCached: true)
            let ends = try RawStatement(
                db,
                """
                SELECT s.stop_name FROM \(layout.calls) c JOIN stops s ON s.sid = c.sid
                  WHERE c.pid = ? ORDER BY c.stop_sequence DESC LIMIT 1
                """, isCached: true)
            let fetch = try StopFetch(db, layout)
            return try runs.compactMap { run in
                let row = run.row
                trips.reset()
                trips.bind(1, row.trip)
                guard try trips.next(), let stop = try fetch.stop(row.call.stop) else { return nil }
                calls.reset()
                calls.bind(1, row.call.pattern)
                calls.bind(2, row.call.sequence)
                // The headsign at this stop overrides the trip's; without either, the last stop is shown.
                var headsign = try calls.next() ? calls.text(0) : nil
                if headsign ?? "" == "" { headsign = trips.text(1) }
                if headsign ?? "" == "" {
                    ends.reset()
                    ends.bind(1, row.call.pattern)
                    headsign = try ends.next() ? ends.text(0) : nil
                }
                let route = routes[row.call.route]
                return Departure(
                    row: row, stop: stop, route: route?.name ?? "", routeID: route?.id ?? "",
                    routeType: route?.type ?? -1, color: route?.color, headsign: headsign ?? "",
                    wheelchair: trips.isNull(2) ? nil : Int(trips.integer(2)), trip: trips.text(0) ?? "",
                    service: trips.text(3) ?? "", asked: asked, zone: route?.zone ?? zone, live: run.live)
            }
        }
    }
}
