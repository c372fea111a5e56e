import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A difference between two timetables.
struct FeedChange: Sendable, Hashable {
    static let columns = ["what", "change", "id", "name", "before", "after"]

    /// The compared parts, in the order of rows.
    enum Subject: String, Sendable, CaseIterable { case feed, day, line, stop, trip }

    var what: Subject
    var change: String
    var id: String
    var name: String
    var before: String?
    var after: String?
}

/// The differences between two timetables: lines, stops and trips by identifier, and the runs of each day.
struct FeedDifference {
    private let old: ComparedFeed
    private let new: ComparedFeed
    private let patterns: ComparedFeed.Patterns
    private let days: [CivilDate]
    private(set) var changes: [FeedChange] = []
    /// Trips that differ by identifier only.
    var renumbered: Int { twins.count }
    /// Those trips, by old and new identifier.
    private(set) var twins: [(old: String, new: String)] = []
    private var oldDays: [Int: [CivilDate]] = [:]
    private var newDays: [Int: [CivilDate]] = [:]

    /// Compares two timetables over some days.
    init(_ old: Feed, _ new: Feed, days: [CivilDate]) throws {
        var patterns = ComparedFeed.Patterns()
        self.old = try ComparedFeed(old, &patterns)
        self.new = try ComparedFeed(new, &patterns)
        self.patterns = patterns
        self.days = days
        compareFeeds()
        try compareDays()
        compareLines()
        compareStops()
        try compareTrips()
    }

    private mutating func add(
        _ what: FeedChange.Subject, _ change: String, _ id: String, _ name: String, _ before: String? = nil,
        _ after: String? = nil
    ) {
        changes.append(
            FeedChange(what: what, change: change, id: id, name: name, before: before, after: after))
    }

    /// Adds a row for each different value.
    private mutating func compare(
        _ what: FeedChange.Subject, _ id: String, _ name: String,
        _ values: [(change: String, before: String?, after: String?)]
    ) {
        for value in values where value.before != value.after {
            add(what, value.change, id, name, value.before, value.after)
        }
    }

    // MARK: The whole

    private mutating func compareFeeds() {
        func zones(_ feed: Feed) -> String { feed.zones.map(\.identifier).joined(separator: ", ") }
        func span(_ feed: Feed) -> String? {
            feed.calendar.span.map { "\($0.lowerBound.text) to \($0.upperBound.text)" }
        }
        func agencies(_ feed: Feed) -> String {
            (feed.metadata[TransitSchema.Key.agencies] ?? "").split(separator: "\n").joined(separator: ", ")
        }
        compare(
            .feed, "", "",
            [
                ("time zone", zones(old.feed), zones(new.feed)),
                ("agencies", agencies(old.feed), agencies(new.feed)),
                ("days of service", span(old.feed), span(new.feed)),
            ])
    }

    // MARK: Days

    private struct Pair: Hashable {
        var old: [Bool]
        var new: [Bool]
    }

    /// The runs of each day, whatever the identifiers of trips and services.
    private mutating func compareDays() throws {
        var known: [Pair: (old: Int, new: Int, lost: Int, gained: Int)] = [:]
        for day in days {
            try Interruption.check()
            let (before, after) = (old.feed.services(on: day), new.feed.services(on: day))
            let pair = Pair(old: before.runs, new: after.runs)
            let counts = known[pair] ?? Self.counts(old.journeys(of: before), new.journeys(of: after))
            known[pair] = counts
            guard counts.lost + counts.gained > 0 else { continue }
            add(
                .day, "service", day.text, day.weekdayName, "\(Self.runs(counts.old)), \(counts.lost) lost",
                "\(Self.runs(counts.new)), \(counts.gained) gained")
        }
    }

    private static func runs(_ count: Int) -> String { "\(count, of: "run")" }

    private static func counts(
        _ old: [ComparedFeed.Journey: Int], _ new: [ComparedFeed.Journey: Int]
    ) -> (old: Int, new: Int, lost: Int, gained: Int) {
        let lost = old.reduce(0) { $0 + max(0, $1.value - (new[$1.key] ?? 0)) }
        let gained = new.reduce(0) { $0 + max(0, $1.value - (old[$1.key] ?? 0)) }
        return (
            old.values.reduce(0, +), new.values.reduce(0, +), lost, gained
        )
    }

    // MARK: Lines and stops

    private static func ids<T>(_ old: [String: T], _ new: [String: T]) -> [String] {
        Set(old.keys).union(new.keys).sorted { NaturalOrder.precedes($0, $1) }
    }

    private mutating func compareLines() {
        for id in Self.ids(old.routes, new.routes) {
            switch (old.routes[id], new.routes[id]) {
            case (let before?, nil): add(.line, "removed", id, before.name)
            case (nil, let after?): add(.line, "added", id, after.name)
            case (let before?, let after?):
                compare(
                    .line, id, after.name,
                    [
                        ("renamed", before.name, after.name),
                        ("long name", before.longName, after.longName),
                        ("type", "\(before.type)", "\(after.type)"),
                        ("color", before.color ?? "", after.color ?? ""),
                    ])
            case (nil, nil): break
            }
        }
    }

    private mutating func compareCoordinates(_ id: String, _ before: StopRecord, _ after: StopRecord) {
        func words(_ coordinate: Coordinate?) -> String {
            coordinate.map { Literal.coordinate($0) } ?? "unknown"
        }
        let metres = before.metres(to: after)
        // A place that became known, or unknown, is another one.
        guard metres.map({ $0 >= TransitSettings.movedStop }) ?? (before.coordinate != after.coordinate)
        else {
            return
        }
        let distance = metres.map { "\(Literal.quantity(.metres($0.rounded()))) to " } ?? ""
        add(
            .stop, "moved", id, after.title, words(before.coordinate), distance + words(after.coordinate))
    }

    private mutating func compareStops() {
        for id in Self.ids(old.stops, new.stops) {
            switch (old.stops[id], new.stops[id]) {
            case (let before?, nil): add(.stop, "removed", id, before.title)
            case (nil, let after?): add(.stop, "added", id, after.title)
            case (let before?, let after?):
                compareCoordinates(id, before, after)
                compare(
                    .stop, id, after.title,
                    [
                        ("renamed", before.title, after.title), ("code", before.code, after.code),
                        ("station", before.parent, after.parent),
                        ("platform", before.platform, after.platform),
                        ("type", before.kind.word, after.kind.word),
                        (
                            "wheelchair", Wheelchair.word(before.wheelchair) ?? "unknown",
                            Wheelchair.word(after.wheelchair) ?? "unknown"
                        ),
                    ])
            case (nil, nil): break
            }
        }
    }

    // MARK: Trips

    /// The properties that identify a trip under another identifier.
    private struct Identity: Hashable {
        var pattern: Int
        var start: Int
        var runs: [ComparedFeed.Run]
        var days: [CivilDate]
    }

    private mutating func compareTrips() throws {
        var removed: [String] = []
        var added: [String] = []
        for id in Self.ids(old.trips, new.trips) {
            try Interruption.check()
            switch (old.trips[id], new.trips[id]) {
            case (_?, nil): removed.append(id)
            case (nil, _?): added.append(id)
            case (let before?, let after?): compareTrip(id, before, after)
            case (nil, nil): break
            }
        }
        var same: [Identity: [String]] = [:]
        for id in removed {
            if let key = identity(old.trips[id], isOld: true) { same[key, default: []].append(id) }
        }
        var known: Set<String> = []
        for id in added {
            guard let key = identity(new.trips[id], isOld: false), let twin = same[key]?.popLast() else {
                continue
            }
            known.insert(twin)
            known.insert(id)
            twins.append((twin, id))
        }
        for id in removed where !known.contains(id) { addTrip("removed", id, old.trips[id]) }
        for id in added where !known.contains(id) { addTrip("added", id, new.trips[id]) }
    }

    private mutating func addTrip(_ change: String, _ id: String, _ trip: ComparedFeed.Trip?) {
        guard let trip else { return }
        let text =
            "\(ServiceDay.scheduled(trip.start)) from \(stopName(patterns.all[trip.pattern].stops.first))"
        add(.trip, change, id, name(trip), change == "removed" ? text : nil, change == "added" ? text : nil)
    }

    private mutating func identity(_ trip: ComparedFeed.Trip?, isOld: Bool) -> Identity? {
        guard let trip else { return nil }
        return Identity(
            pattern: trip.pattern, start: trip.start, runs: trip.runs,
            days: days(of: trip.service, isOld: isOld))
    }

    /// The days of a service, cached.
    private mutating func days(of service: Int?, isOld: Bool) -> [CivilDate] {
        guard let service else { return [] }
        if let known = isOld ? oldDays[service] : newDays[service] { return known }
        let made = (isOld ? old : new).days(of: service, in: days)
        if isOld { oldDays[service] = made } else { newDays[service] = made }
        return made
    }

    private func name(_ trip: ComparedFeed.Trip) -> String {
        let line = (new.routes[trip.route] ?? old.routes[trip.route])?.name ?? trip.route
        let last = stopName(patterns.all[trip.pattern].stops.last)
        return "\(line) to \(trip.headsign.isEmpty ? last : trip.headsign)"
    }

    private func stopName(_ id: String?) -> String {
        guard let id else { return "" }
        return (new.stops[id] ?? old.stops[id])?.title ?? id
    }

    private mutating func compareTrip(_ id: String, _ before: ComparedFeed.Trip, _ after: ComparedFeed.Trip) {
        let title = name(after)
        let (first, second) = (patterns.all[before.pattern], patterns.all[after.pattern])
        if first.route != second.route {
            add(
                .trip, "line", id, title, old.routes[first.route]?.name ?? first.route,
                new.routes[second.route]?.name ?? second.route)
        }
        if first.stops != second.stops {
            add(
                .trip, "stops", id, title, missing(first.stops, second.stops),
                missing(second.stops, first.stops))
        } else if let call = firstOther(before, first, after, second) {
            add(
                .trip, "times", id, title, time(before.start, first, call), time(after.start, second, call))
        }
        if before.runs != after.runs {
            add(.trip, "frequencies", id, title, headways(before.runs), headways(after.runs))
        }
        let (oldDays, newDays) = (
            days(of: before.service, isOld: true), days(of: after.service, isOld: false)
        )
        if oldDays != newDays {
            add(.trip, "days", id, title, list(oldDays, without: newDays), list(newDays, without: oldDays))
        }
        compare(
            .trip, id, title,
            [
                ("headsign", before.headsign, after.headsign),
                (
                    "wheelchair", Wheelchair.word(before.wheelchair) ?? "unknown",
                    Wheelchair.word(after.wheelchair) ?? "unknown"
                ),
            ])
    }

    /// The stops of one list that are missing in the other, else all whose order differs.
    private func missing(_ stops: [String], _ others: [String]) -> String {
        var rest = others
        let only = stops.filter { stop in
            guard let index = rest.firstIndex(of: stop) else { return true }
            rest.remove(at: index)
            return false
        }
        let shown = only.lazy.map(stopName).listed(first: Self.named)
        return "\(stops.count) stops" + (only.isEmpty ? "" : ", with \(shown)")
    }

    /// The number of stops and days that a row names.
    private static let named = 3

    /// The first call whose times differ.
    private func firstOther(
        _ before: ComparedFeed.Trip, _ first: ComparedFeed.Pattern, _ after: ComparedFeed.Trip,
        _ second: ComparedFeed.Pattern
    ) -> Int? {
        first.stops.indices.first {
            before.start + first.departures[$0] != after.start + second.departures[$0]
                || before.start + first.arrivals[$0] != after.start + second.arrivals[$0]
        }
    }

    private func time(_ start: Int, _ pattern: ComparedFeed.Pattern, _ call: Int) -> String {
        let isLast = call == pattern.stops.count - 1
        let seconds = start + (isLast ? pattern.arrivals[call] : pattern.departures[call])
        return "\(ServiceDay.scheduled(max(0, seconds))) at \(stopName(pattern.stops[call]))"
    }

    private func headways(_ runs: [ComparedFeed.Run]) -> String {
        guard let first = runs.first, let last = runs.last else { return "no runs" }
        let headways = Set(runs.compactMap(\.headway)).sorted().map { Literal.duration(Double($0)) }
        return
            "\(runs.count) runs, \(ServiceDay.scheduled(first.start)) to \(ServiceDay.scheduled(last.start)), every "
            + headways.joined(separator: ", ")
    }

    /// The days of one list that are missing in the other.
    private func list(_ days: [CivilDate], without others: [CivilDate]) -> String {
        let rest = Set(others)
        let only = days.filter { !rest.contains($0) }
        let shown = only.lazy.map(\.text).listed(first: Self.named)
        return "\(days.count, of: "day")"
            + (only.isEmpty ? "" : ", with \(shown)")
    }
}
