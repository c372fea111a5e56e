import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A finding of `feed check`.
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

extension FeedProblem {
    /// That of its rule; without one a line that is read all the same is no error.
    fileprivate var severity: FindingSeverity {
        fault.rule?.severity ?? (outcome == .repaired ? .warning : .error)
    }

    fileprivate var code: String {
        fault.rule?.code ?? (outcome == .repaired ? "rutter_other_form" : "rutter_invalid_row")
    }
}

/// Reads a whole feed and returns its findings; writes nothing.
package struct FeedCheck {
    private(set) var findings: [FeedFinding] = []
    /// Problems that were counted but not listed.
    private(set) var unlisted = 0

    /// The number of findings.
    package var count: Int { findings.count + unlisted }

    /// Checks a feed, an archive or a folder, as of a day.
    package init(_ feed: URL, today: CivilDate) throws { try self.init(FeedSource(feed), today: today) }

    /// Checks a feed as of a day.
    init(_ source: FeedSource, today: CivilDate, progress: ProgressReporter = ProgressReporter()) throws {
        var reader = FeedReader(source, isLenient: true, progress: progress)
        reader.keepsForeignShapes = true
        do {
            try reader.read()
        } catch let error as RutterError {
            guard let refused = reader.problems.refused else { throw error }
            add(refused, "refused; the tables after it were not checked", text: error.message)
            addProblems(reader.problems)
            return
        }
        addProblems(reader.problems)
        // With translations the file is required; that is checked with the tables.
        if !source.has(.feedInfo), !source.has(.translations) {
            findings.append(
                FeedFinding(
                    severity: FeedRule.missingRecommendedFile.severity,
                    code: FeedRule.missingRecommendedFile.code, table: FeedTable.feedInfo.rawValue,
                    text: "the feed has no publisher and no period of validity", lenient: "kept"))
        }
        StopRanking.rank(&reader.content)
        addContent(reader.content)
        var tables = TableCheck(source, reader.content, droppedTrips: reader.droppedTrips, today: today)
        try tables.run(progress: progress)
        // Skip what the import has already reported.
        let known = Set(findings.map(Place.init))
        findings += tables.findings.filter { $0.line == 0 || !known.contains(Place($0)) }
    }

    /// The table row that a finding refers to.
    private struct Place: Hashable {
        var code: String
        var table: String
        var line: Int

        init(_ finding: FeedFinding) {
            (code, table, line) = (finding.code, finding.table, finding.line)
        }
    }

    private mutating func add(_ problem: FeedProblem, _ lenient: String, text: String? = nil) {
        let fault = problem.fault
        findings.append(
            FeedFinding(
                severity: problem.severity, code: problem.code, table: problem.table, line: problem.line,
                field: fault.field, value: fault.value,
                text: text ?? fault.text, lenient: lenient))
    }

    private mutating func addProblems(_ problems: FeedProblems) {
        // These are checked with the other tables.
        let others = [FeedTable.transfers, .pathways, .feedInfo].map(\.rawValue)
        for problem in problems.listed
        where !others.contains(problem.table) || problem.fault.rule == .emptyFile {
            add(problem, problem.outcome.rawValue)
        }
        // Beyond the listed lines a finding for each kind has the number of the others.
        for (problem, count) in problems.unlisted where !others.contains(problem.table) {
            let fault = problem.fault
            findings.append(
                FeedFinding(
                    severity: problem.severity, code: problem.code, table: problem.table, field: fault.field,
                    value: fault.value, count: count,
                    text: "\(count) more lines, the first of them line \(problem.line): \(fault.text)",
                    lenient: problem.outcome.rawValue))
        }
        unlisted = problems.unlisted.reduce(0) {
            others.contains($1.problem.table) ? $0 + $1.count : $0
        }
    }

    // MARK: Content

    private mutating func addContent(_ content: FeedContent) {
        addStops(content)
        addShapes(content)
        addRoutes(content)
        addSameRuns(content)
    }

    /// One finding for all faults of a kind, with the first as an example.
    private mutating func add(
        _ rule: FeedRule?, _ table: FeedTable, _ found: [String], _ text: String, code: String? = nil,
        severity: FindingSeverity = .info
    ) {
        guard !found.isEmpty else { return }
        findings.append(
            FeedFinding(
                severity: rule?.severity ?? severity, code: rule?.code ?? code ?? "", table: table.rawValue,
                count: found.count, text: "\(text): \(found.listed(first: 1))", lenient: "kept"))
    }

    private mutating func addStops(_ content: FeedContent) {
        var near: [String] = []
        var polar: [String] = []
        for (index, stop) in content.stops.enumerated() {
            if abs(stop.latitude) <= 1, abs(stop.longitude) <= 1 { near.append(content.stopIDs.text(index)) }
            if abs(stop.latitude) >= 89 { polar.append(content.stopIDs.text(index)) }
        }
        add(.pointNearOrigin, .stops, near, "the stop lies within a degree of 0,0")
        add(.pointNearPole, .stops, polar, "the stop lies within a degree of a pole")
    }

    private mutating func addShapes(_ content: FeedContent) {
        var used = [Bool](repeating: false, count: content.shapes.ids.count)
        for trip in content.trips where trip.shape >= 0 { used[Int(trip.shape)] = true }
        let idle = used.indices.filter { !used[$0] && content.shapes[$0].count > 1 }
        add(.unusedShape, .shapes, idle.map { content.shapes.ids.text($0) }, "no trip uses the shape")
    }

    /// A run that is in the feed twice, as planning programs write one for each of their versions: boards show it twice.
    private mutating func addSameRuns(_ content: FeedContent) {
        struct Run: Hashable {
            var pattern: Int32
            var start: Int32
            var service: Int32
        }
        var seen: [Run: Int] = [:]
        var found: [String] = []
        for (index, trip) in content.trips.enumerated() where trip.pattern >= 0 && !trip.hasFrequencies {
            let run = Run(pattern: trip.pattern, start: trip.start, service: trip.service)
            guard let first = seen[run] else {
                seen[run] = index
                continue
            }
            found.append("\(content.tripIDs.text(first)) and \(content.tripIDs.text(index))")
        }
        add(
            nil, .trips, found, "trips of one line have the same calls, times and days",
            code: "rutter_same_run",
            severity: .warning)
    }

    private mutating func addRoutes(_ content: FeedContent) {
        var used = [Bool](repeating: false, count: content.routes.count)
        for trip in content.trips { used[Int(trip.route)] = true }
        guard content.stopTimes > 0 else { return }
        add(
            nil, .routes, used.indices.filter { !used[$0] }.map { content.routeIDs.text($0) },
            "no trip uses the route", code: "rutter_unused_route")
    }
}
