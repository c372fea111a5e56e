import Foundation
import PluginKit

/// An alert as boards, drawers and trips show it.
struct ServiceAlert: Sendable, Hashable {
    /// Its short text.
    let title: String
    /// The lines that it names, in the order of names; empty if it names none.
    let lines: [String]
    /// The agency, if it names only that: the timetable does not relate lines to agencies.
    let agency: String?
    /// The time of the message, if it is outdated.
    let asOf: String?

    /// `S1: Works between University and Airport`
    var text: String {
        let subject =
            lines.isEmpty ? agency.map { "agency \($0): " } ?? "" : lines.joined(separator: ", ") + ": "
        return subject + title + (asOf.map { " (as of \($0))" } ?? "")
    }
}

extension RealtimeFeed.Alert.Entity {
    /// Whether a selector matches one of some entities. Empty fields match anything, so an alert about an
    /// agency or about nothing in particular matches everything.
    func concerns(routes: Set<String>, types: Set<Int>, trips: Set<String>, stops: Set<String>) -> Bool {
        (route.isEmpty || routes.contains(route)) && (routeType.map(types.contains) ?? true)
            && (trip.isEmpty || trips.contains(trip)) && (stop.isEmpty || stops.contains(stop))
    }
}

/// The active alerts of an instant about parts of a timetable.
struct ServiceAlerts {
    let feed: Feed
    let view: RealtimeView

    init(_ feed: Feed, _ view: RealtimeView) { (self.feed, self.view) = (feed, view) }

    /// The active alerts about some entities, in the order of the message.
    func alerts(
        routes ids: Set<String>, types: Set<Int>, trips: Set<String>, stops: Set<String>, at moment: Int
    ) -> [ServiceAlert] {
        guard let snapshot = view.alerts else { return [] }
        let isOld = view.now - snapshot.time > TransitSettings.staleAfter
        return snapshot.feed.alerts.filter { alert in
            alert.isActive(at: moment)
                && alert.entities.contains {
                    $0.concerns(routes: ids, types: types, trips: trips, stops: stops)
                }
        }.map { alert in
            let named = Set(alert.entities.map(\.route).filter { !$0.isEmpty })
            let lines = feed.routes.values.filter { named.contains($0.id) }.sorted { $0.rank < $1.rank }
            let agencies = alert.entities.filter { entity in
                !entity.agency.isEmpty && entity.route.isEmpty && entity.routeType == nil
                    && entity.trip.isEmpty
                    && entity.stop.isEmpty
            }
            return ServiceAlert(
                title: alert.title, lines: lines.map(\.name), agency: agencies.first?.agency,
                asOf: isOld ? RealtimeView.moment(snapshot.time, feed.zone) : nil)
        }
    }

    /// Adds the active alerts to a board, and to each of its departures those about it.
    func add(
        to board: inout DepartureBoard, of stop: StopRecord, _ parts: [Int64], at moment: Int
    ) throws {
        guard view.alerts != nil else { return }
        let lines = try feed.stops.lines(at: parts)
        let own = Set(try feed.stops.rows(parts).map(\.id) + [stop.parent].compactMap { $0 })
        board.alerts = alerts(
            routes: Set(lines.map(\.id) + board.departures.map(\.routeID)),
            types: Set(lines.map(\.type)), trips: Set(board.departures.map(\.trip)), stops: own, at: moment)
        for index in board.departures.indices {
            let departure = board.departures[index]
            board.departures[index].alerts = alerts(
                routes: [departure.routeID], types: [departure.routeType], trips: [departure.trip],
                stops: Set([departure.stop.id, departure.stop.parent].compactMap { $0 }),
                at: departure.row.time)
        }
    }

    /// The alerts about a trip that are active while it runs.
    func on(_ trip: TripObject) -> [ServiceAlert] {
        guard let first = trip.calls.first else { return [] }
        return alerts(
            routes: Set([trip.route?.id].compactMap { $0 }), types: Set([trip.route?.type].compactMap { $0 }),
            trips: [trip.id],
            stops: Set(trip.calls.flatMap { [$0.stop.id, $0.stop.parent].compactMap { $0 } }),
            at: max(first.departure, view.now))
    }
}
