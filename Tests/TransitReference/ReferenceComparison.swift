import Foundation
import PluginKit
import TransitPlugin

/// Compares the departures of a timetable with those of the slow reference.
package struct ReferenceComparison {
    /// The result.
    package struct Outcome {
        /// The number of compared boards, and of their rows.
        package var boards = 0
        package var rows = 0
        /// The number of boards without departures, whose next departure was compared.
        package var next = 0
        /// The first difference.
        package var difference: String?
    }

    /// The extent of the comparison.
    package struct Extent {
        /// Seconds that boards look ahead.
        package var window = 86_400
        /// Whether times after midnight are compared too.
        package var isFull = false
        /// The maximum number of stops, spread over all.
        package var stops = Int.max
        /// Days searched for the next departure of an empty board; at most a few in large feeds.
        package var days = 0

        /// A whole day ahead, at every stop.
        package init(window: Int = 86_400, isFull: Bool = false, stops: Int = .max, days: Int = 0) {
            self.window = window
            self.isFull = isFull
            self.stops = stops
            self.days = days
        }
    }

    private let plain: PlainTimetable
    private let feed: Feed
    private let extent: Extent
    private static let limit = 20
    private static let weeks = 600

    /// The tables of a feed, and the timetable imported from it.
    package init(_ tables: [String: String], _ feed: Feed, _ extent: Extent) {
        plain = PlainTimetable(tables)
        self.feed = feed
        self.extent = extent
    }

    /// Compares, up to the first difference.
    package func run() throws -> Outcome {
        var outcome = Outcome()
        guard plain.zone.identifier == feed.zone.identifier else {
            outcome.difference = "the zone is \(feed.zone.identifier) instead of \(plain.zone.identifier)"
            return outcome
        }
        let all = plain.stops
        let most = max(1, min(extent.stops, all.count))
        let step = max(1, (all.count + most - 1) / most)
        let stops = stride(from: 0, to: all.count, by: step).map { all[$0] }
        for moment in moments() {
            try compare(stops, at: moment, &outcome)
            if outcome.difference != nil { break }
        }
        return outcome
    }

    private func compare(_ stops: [String], at moment: Int, _ outcome: inout Outcome) throws {
        let all = plain.departures(from: moment, until: moment + extent.window)
        var later: [[String: [PlainTimetable.Run]]] = []
        for id in stops {
            guard let stop = try feed.stops.with(id: id) else { continue }
            let board = try feed.board(
                of: stop, at: Double(moment), within: Double(extent.window), limit: Self.limit)
            let found = board.departures.map(Self.plain)
            let expected = plain.board(id, of: all, limit: Self.limit)
            outcome.boards += 1
            outcome.rows += found.count
            if found != expected {
                let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
                let what = place.map { "\(found[$0]) instead of \(expected[$0])" } ?? "in number"
                outcome.difference =
                    "\(id) at \(moment): \(found.count) instead of \(expected.count), first difference \(what)"
                return
            }
            guard found.isEmpty, extent.days > 0 else { continue }
            let next = next(id, from: moment + extent.window, &later)
            outcome.next += 1
            let own = board.next.map(Self.plain)
            let isLater = own.map { $0.time >= moment + extent.window + extent.days * 86_400 } ?? true
            if next != own, next != nil || !isLater {
                outcome.difference =
                    "\(id) at \(moment): next \(own.map { "\($0)" } ?? "none") instead of \(next.map { "\($0)" } ?? "none")"
                return
            }
        }
    }

    /// The next departure, searched day by day; the days are computed once for all stops.
    private func next(
        _ stop: String, from start: Int, _ days: inout [[String: [PlainTimetable.Run]]]
    ) -> PlainTimetable.Departure? {
        for day in 0..<extent.days {
            if days.count == day {
                days.append(
                    plain.departures(from: start + day * 86_400, until: start + (day + 1) * 86_400))
            }
            if let first = plain.board(stop, of: days[day], limit: 1).first { return first }
        }
        return nil
    }

    private static func plain(_ departure: Departure) -> PlainTimetable.Departure {
        func text(_ field: String) -> String {
            if case .text(let text) = departure.field(field) { return text }
            return ""
        }
        return PlainTimetable.Departure(
            time: departure.seconds, route: text("route"), trip: text("trip"), stop: text("stopId"),
            scheduled: text("scheduled"), day: text("day").filter { $0 != "-" })
    }

    // MARK: Times

    /// Characteristic times of feeds: mornings, nights, Sundays, exceptions, days with a clock change.
    private func moments() -> [Int] {
        let (first, last) = plain.span
        // The day on which most trips run, of one in a week, and the Sunday after it.
        var middle = first
        var most = 0
        var day = first
        for _ in 0..<Self.weeks where day <= last {
            let count = plain.trips(on: day)
            if count > most { (middle, most) = (day, count) }
            day = plain.day(day, plus: 7)
        }
        var days = [middle, plain.day(middle, plus: 6 - plain.weekday(middle))]
        days += [plain.addedDays.first, plain.removedDays.first].compactMap { $0 }
        days += clockChanges(from: first, to: last)
        return days.flatMap { day in
            let times = [
                plain.moment(day, 8, 0), plain.moment(day, 23, 30),
                plain.moment(plain.day(day, plus: 1), 0, 30),
            ]
            guard extent.isFull else { return times }
            return times + [plain.moment(day, 1, 30), plain.moment(day, 3, 30), plain.moment(day, 16, 59)]
        }
    }

    private func clockChanges(from first: Int, to last: Int) -> [Int] {
        var days: [Int] = []
        var day = first
        for _ in 0..<400 where day <= last && days.count < 2 {
            let next = plain.day(day, plus: 1)
            if plain.moment(next, 0, 0) - plain.moment(day, 0, 0) != 86_400 { days.append(day) }
            day = next
        }
        return days
    }
}
