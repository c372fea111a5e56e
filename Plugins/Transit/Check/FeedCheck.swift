import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A finding of `transit check`.
struct FeedFinding: Sendable, Hashable {
    var severity: FindingSeverity
    /// The canonical validator's code, else `rutter_` and a word.
    var code: String
    var table: String
    /// 0 for the whole table.
    var line = 0
    var field: String?
    var value: String?
    var count = 1
    var text: String
    /// What a lenient import does about it.
    var lenient: String
}

/// Reads a whole feed and returns what is wrong with it; nothing is written.
package struct FeedCheck {
    private(set) var findings: [FeedFinding] = []
    /// Problems that were counted and not listed.
    private(set) var unlisted = 0

    /// Checks a feed as of a day.
    init(_ source: FeedSource, today: CivilDate, progress: ProgressReporter = ProgressReporter()) throws {
        var reader = FeedReader(source, isLenient: true, progress: progress)
        do {
            try reader.read()
        } catch let error as RutterError where Self.isOfTable(error) {
            let rule = ProblemRule.rule(error.message)
            guard case .file(let table, let line, _) = error.place else { throw error }
            add(rule, table, line ?? 0, error.message, "refused; the tables behind it were not checked")
            addProblems(reader.problems)
            return
        }
        addProblems(reader.problems)
        if !source.has("feed_info.txt") {
            add(
                .missingFeedInfo, "feed_info.txt", 0,
                "the feed does not say whose it is and until when it holds", "kept")
        }
        StopRanking.rank(&reader.content)
        addContent(reader.content, today)
        var tables = TableCheck(source, reader.content, droppedTrips: reader.droppedTrips, today: today)
        try tables.run(progress: progress)
        findings += tables.findings
        unlisted += tables.unlisted
    }

    private static func isOfTable(_ error: RutterError) -> Bool {
        [TransitErrors.header.code, TransitErrors.missing.code, TransitErrors.encoding.code].contains(
            error.code)
    }

    private mutating func add(
        _ rule: FeedRule?, _ table: String, _ line: Int, _ text: String, _ lenient: String, count: Int = 1
    ) {
        let named = ProblemRule.field(text)
        findings.append(
            FeedFinding(
                severity: rule?.severity ?? .error, code: rule?.rawValue ?? "rutter_invalid_row",
                table: table,
                line: line, field: named.field, value: named.value, count: count, text: text, lenient: lenient
            ))
    }

    private mutating func addProblems(_ problems: FeedProblems) {
        // Transfers and pathways are checked with the other tables.
        let others = [FeedTable.transfers.rawValue, FeedTable.pathways.rawValue]
        for problem in problems.listed where !others.contains(problem.table) {
            add(
                ProblemRule.rule(problem.text), problem.table, problem.line, problem.text,
                problem.outcome.rawValue)
        }
        unlisted = problems.count - problems.listed.count
    }

    // MARK: Content

    private mutating func addContent(_ content: FeedContent, _ today: CivilDate) {
        addStops(content)
        addTrips(content)
        addRoutes(content)
        addCalendars(content, today)
        addSpeeds(content)
    }

    /// One finding for all of a kind, with the first as an example.
    private mutating func add(_ rule: FeedRule, _ table: String, _ found: [String], _ text: String) {
        guard let first = found.first else { return }
        let more = found.count > 1 ? " and \(found.count - 1) more" : ""
        add(rule, table, 0, "\(text): \(first)\(more)", "kept", count: found.count)
    }

    private mutating func addStops(_ content: FeedContent) {
        var unused: [String] = []
        var near: [String] = []
        for (index, stop) in content.stops.enumerated() {
            if stop.kind == .stop, stop.patterns == 0 { unused.append(content.stopIDs.text(index)) }
            if abs(stop.latitude) <= 1, abs(stop.longitude) <= 1 { near.append(content.stopIDs.text(index)) }
        }
        add(.stopWithoutStopTime, FeedTable.stops.rawValue, unused, "no trip calls at the stop")
        add(.pointNearOrigin, FeedTable.stops.rawValue, near, "the stop lies within a degree of 0,0")
    }

    private mutating func addTrips(_ content: FeedContent) {
        var unused: [String] = []
        var short: [String] = []
        var shapes = [Bool](repeating: false, count: content.shapes.ids.count)
        for (index, trip) in content.trips.enumerated() {
            if trip.shape >= 0 { shapes[Int(trip.shape)] = true }
            if trip.pattern < 0 {
                unused.append(content.tripIDs.text(index))
            } else if content.patterns[Int(trip.pattern)].count < 2 {
                short.append(content.tripIDs.text(index))
            }
        }
        add(.unusedTrip, FeedTable.trips.rawValue, unused, "the trip has no fixed calls")
        add(.unusableTrip, FeedTable.trips.rawValue, short, "the trip has only one call")
        let idle = shapes.indices.filter { !shapes[$0] && content.shapes[$0].count > 1 }
        add(
            .unusedShape, FeedTable.shapes.rawValue, idle.map { content.shapes.ids.text($0) },
            "no trip has the shape")
    }

    private mutating func addRoutes(_ content: FeedContent) {
        var seen: Set<String> = []
        var same: [String] = []
        for (index, route) in content.routes.enumerated() {
            let key = "\(route.shortName)\u{0}\(route.longName)\u{0}\(route.type)"
            if !seen.insert(key).inserted { same.append(content.routeIDs.text(index)) }
        }
        add(.duplicateRouteName, FeedTable.routes.rawValue, same, "another route has the same names and type")
    }

    private mutating func addCalendars(_ content: FeedContent, _ today: CivilDate) {
        var last = [CivilDate?](repeating: nil, count: content.serviceIDs.count)
        for row in content.calendar where row.days & 0x7F != 0 {
            last[Int(row.service)] = max(last[Int(row.service)] ?? row.end, row.end)
        }
        for row in content.exceptions where row.isAdded {
            last[Int(row.service)] = max(last[Int(row.service)] ?? row.date, row.date)
        }
        let over = last.indices.filter { last[$0].map { $0 < today } ?? false }
        let table = content.calendar.isEmpty ? FeedTable.calendarDates : .calendar
        add(
            .expiredCalendar, table.rawValue, over.map { content.serviceIDs.text($0) },
            "the service has ended before \(today.text)")
    }

    /// Kilometres an hour beyond which travel between two stops is too fast, by route type, as the canonical validator has
    /// them.
    static func fastest(_ type: Int) -> Double {
        switch type {
        case 0: 100
        case 1, 3, 11, 12: 150
        case 2: 500
        case 4: 80
        case 5: 30
        case 6, 7: 50
        default: 200
        }
    }

    private mutating func addSpeeds(_ content: FeedContent) {
        var found: [String] = []
        for pattern in content.patterns {
            let calls = content.patternStops[pattern.first..<pattern.first + pattern.count]
            let route = content.routes[Int(pattern.route)]
            let limit = Self.fastest(Int(route.type))
            for (from, to) in zip(calls, calls.dropFirst()) {
                let (a, b) = (content.stops[Int(from.stop)], content.stops[Int(to.stop)])
                let metres = Coordinate(latitude: a.latitude, longitude: a.longitude).distance(
                    to: Coordinate(latitude: b.latitude, longitude: b.longitude))
                var seconds = Double(to.arrival - from.departure)
                // Times in whole minutes may be up to a minute apart.
                if to.arrival % 60 == 0, from.departure % 60 == 0 { seconds += 60 }
                guard metres > 0, metres * 3.6 > limit * seconds else { continue }
                let speed = seconds > 0 ? "\(Int((metres / seconds * 3.6).rounded())) km/h" : "in no time"
                found.append(
                    "route \(route.name), \(content.stopIDs.text(Int(from.stop))) to \(content.stopIDs.text(Int(to.stop))), \(speed)"
                )
            }
        }
        add(.fastTravel, FeedTable.stopTimes.rawValue, found, "too fast for its route type")
    }
}
