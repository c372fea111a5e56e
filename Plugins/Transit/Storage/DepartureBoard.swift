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

extension Feed {
    /// The departures of a stop and its platforms from an instant (seconds since 1970).
    package func board(of stop: StopRecord, at moment: Double, within window: Double, limit: Int) throws
        -> DepartureBoard
    {
        let stops = try parts(of: stop)
        let span = Self.span(moment, window)
        let rows = try departures(of: stops, from: span.lowerBound, until: span.upperBound, limit: limit)
        let found = try details(rows, asked: moment)
        var next: Departure?
        if found.isEmpty { next = try nextDeparture(of: stops, from: span.upperBound, asked: moment) }
        return DepartureBoard(departures: found, next: next, asked: moment)
    }

    /// The first departure from an instant on, however far away; `nil` at the end of the schedule.
    private func nextDeparture(of stops: [Int64], from: Int, asked: Double) throws -> Departure? {
        guard let row = try firstDeparture(of: stops, from: from) else { return nil }
        return try details([row], asked: asked).first
    }

    /// The whole seconds of a search window, its end excluded.
    static func span(_ moment: Double, _ window: Double) -> Range<Int> {
        let from = wholeSecond(moment)
        return from..<max(from, wholeSecond(moment + min(max(window, 0), longestWindow)))
    }

    /// The first whole second from an instant on; a departure at that second is included.
    private static func wholeSecond(_ moment: Double) -> Int {
        Int(max(-farthest, min(moment.rounded(.up), farthest)))
    }

    /// Instants are clamped to this, about the years −1000 and 5000.
    private static let farthest = 95_000_000_000.0
    private static let longestWindow = 366.0 * 86_400

    /// The departures of rows, with all their fields.
    func details(_ rows: [DepartureRow], asked: Double) throws -> [Departure] {
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
            return try rows.compactMap { row in
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
                    service: trips.text(3) ?? "", asked: asked, zone: route?.zone ?? zone)
            }
        }
    }
}
