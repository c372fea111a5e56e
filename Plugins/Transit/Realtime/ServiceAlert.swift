import CivilTime
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

/// What alerts can be about: a run, a line at a stop, a stop. Fields that it does not have are `nil`.
struct AlertSubject: Sendable {
    var route: Feed.Route?
    var direction: Int?
    var trip: String?
    var day: CivilDate?
    var start: Int?
    /// The stops and their stations.
    var stops: Set<String>
}

extension RealtimeFeed.Alert.Entity {
    /// Whether a selector is about a subject: all the fields that it gives must match (GTFS-realtime, *Entity
    /// Selector*). An agency matches any line if the timetable does not relate lines to agencies.
    func concerns(_ subject: AlertSubject) -> Bool {
        // About one run that cannot be read: of all others it says nothing.
        if unreadable != nil { return false }
        if !agency.isEmpty {
            guard let line = subject.route, line.agencyID.map({ $0 == agency }) ?? true else { return false }
        }
        return (route.isEmpty || route == subject.route?.id)
            && (routeType.map { type in
                subject.route.map { TransitMode.isSame(type, asked: $0.type) } ?? false
            } ?? true)
            && (direction.map { $0 == subject.direction } ?? true)
            && (trip.isEmpty || trip == subject.trip) && (day.map { $0 == subject.day } ?? true)
            && (start.map { $0 == subject.start } ?? true) && (stop.isEmpty || subject.stops.contains(stop))
    }
}

extension RealtimeFeed.Alert.Entity {
    /// What a selector is about, beside a whole line or stop: `agency b, bus`, `1, direction 0`; `nil` if only that.
    func scope(_ names: [String: String]) -> String? {
        var parts: [String] = []
        if !agency.isEmpty { parts.append("agency \(agency)") }
        if let routeType {
            let mode = TransitMode(routeType: routeType)
            parts.append(mode == .other ? "route type \(routeType)" : mode.rawValue)
        }
        if !trip.isEmpty { parts.append("trip \(trip)") }
        if let direction { parts.append("direction \(direction)") }
        if let day { parts.append(day.text) }
        if let start { parts.append("at \(ServiceDay.scheduled(start))") }
        if let unreadable { parts.append("not used: \(unreadable)") }
        guard !parts.isEmpty || (!route.isEmpty && !stop.isEmpty) else { return nil }
        if !route.isEmpty { parts.insert(names[route] ?? route, at: 0) }
        if !stop.isEmpty { parts.append("stop \(stop)") }
        return parts.joined(separator: ", ")
    }
}

/// The active alerts of an instant about parts of a timetable.
struct ServiceAlerts {
    let feed: Feed
    let view: RealtimeView

    init(_ feed: Feed, _ view: RealtimeView) { (self.feed, self.view) = (feed, view) }

    /// The alerts about any of some subjects that are told at an instant, in the order of the message.
    func alerts(_ subjects: [AlertSubject], toldAt moment: Int) -> [ServiceAlert] {
        alerts(subjects) { $0.isActive(at: moment) }
    }

    /// Those in effect for any part of a ride.
    func alerts(_ subjects: [AlertSubject], during time: ClosedRange<Int>) -> [ServiceAlert] {
        alerts(subjects) { $0.concernsRide(during: time, now: view.now) }
    }

    private func alerts(
        _ subjects: [AlertSubject], where isInTime: (RealtimeFeed.Alert) -> Bool
    ) -> [ServiceAlert] {
        guard let snapshot = view.alerts else { return [] }
        let isOld = view.now - snapshot.time > TransitSettings.staleAfter
        return snapshot.feed.alerts.filter { alert in
            isInTime(alert)
                && alert.entities.contains { entity in subjects.contains(where: entity.concerns) }
        }.map { written in
            let alert = written.told(in: feed.translation?.language)
            let named = Set(alert.entities.map(\.route).filter { !$0.isEmpty })
            let lines = feed.routes.values.filter { named.contains($0.id) }.sorted { $0.rank < $1.rank }
            let agencies = alert.entities.filter { entity in
                !entity.agency.isEmpty && entity.route.isEmpty && entity.routeType == nil
                    && entity.trip.isEmpty
                    && entity.stop.isEmpty
            }
            return ServiceAlert(
                title: alert.headline, lines: lines.map(\.name), agency: agencies.first?.agency,
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
        let subjects = board.departures.map { departure in
            AlertSubject(
                route: feed.routes[departure.row.call.route], direction: departure.direction,
                trip: departure.trip, day: departure.row.day, start: departure.row.start,
                stops: Set([departure.stop.id, departure.stop.parent].compactMap { $0 }))
        }
        board.alerts = alerts(
            [AlertSubject(stops: own)] + lines.map { AlertSubject(route: $0, stops: own) } + subjects,
            toldAt: moment)
        for index in board.departures.indices {
            let time = board.departures[index].expected
            board.departures[index].alerts = alerts([subjects[index]], during: time...time)
        }
    }

    /// The alerts about a trip that are active while it runs.
    func on(_ trip: TripObject) -> [ServiceAlert] {
        guard let first = trip.calls.first else { return [] }
        let subject = AlertSubject(
            route: trip.route, direction: trip.direction, trip: trip.id, day: trip.day,
            start: first.departure - ServiceDay.reference(trip.day, in: trip.zone),
            stops: Set(trip.calls.flatMap { [$0.stop.id, $0.stop.parent].compactMap { $0 } }))
        let start = max(first.live?.departure ?? first.departure, view.now)
        let end = trip.calls.last.map { $0.live?.arrival ?? $0.arrival } ?? start
        return alerts([subject], during: start...max(start, end))
    }

    /// The alerts about a line, whatever the stop and the direction, that are told now.
    func on(_ line: Feed.Route) -> [ServiceAlert] {
        let subjects = [nil, 0, 1].map { AlertSubject(route: line, direction: $0, stops: []) }
        return alerts(subjects, toldAt: view.now)
    }

    /// The alerts about the stops and the runs of a printed timetable that are in effect on its day, or until its last run ends
    /// after midnight.
    func on(_ table: LineTimetable, in zone: TimeZone) -> [ServiceAlert] {
        let day = StopBoard.bounds(of: table.day, in: zone)
        let last = table.runs.flatMap { Array($0.times.values) + Array($0.expected.values) }.max() ?? 0
        let end = max(day.upperBound - 1, ServiceDay.reference(table.day, in: zone) + last)
        guard day.lowerBound <= end else { return [] }
        let stops = Set(table.stops.flatMap { [$0.id, $0.parent].compactMap { $0 } })
        func subject(_ run: LineTimetable.Run?) -> AlertSubject {
            AlertSubject(
                route: table.route, direction: table.direction, trip: run?.trip, day: table.day,
                start: run?.start, stops: stops)
        }
        return alerts([subject(nil)] + table.runs.map(subject), during: day.lowerBound...end)
    }
}
