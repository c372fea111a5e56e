import CivilTime
import Foundation
import PluginKit

/// The printed timetable of a line: a row for each stop, a column for each run.
struct LineTimetable: SelfRendering {
    /// A run of a trip.
    struct Run: Sendable {
        var trip: String
        /// Departures, at the last stop the arrival, by row, in seconds of the service day.
        var times: [Int: Int]
        var start: Int
    }

    let route: Feed.Route
    let towards: String
    let direction: Int?
    let day: CivilDate
    let stops: [StopRecord]
    let runs: [Run]
    let cut: Cut?
    /// Facts that the grid does not have, such as the zone of its times.
    var notes: [String] = []

    let typeName = "timetable"
    let fieldNames = ["line", "towards", "direction", "day", "stops", "trips", "rows", "notes"]

    func field(_ name: String) -> Value? {
        switch name {
        case "line": .text(route.name)
        case "towards": .text(towards)
        case "direction": Value(direction, Value.integer)
        case "day": .text(day.text)
        case "stops": .integer(stops.count)
        case "trips": .integer(runs.count)
        case "rows": .rows(rows)
        case "notes": .list(notes.map { .text($0) })
        default: nil
        }
    }

    /// A row for each stop; the columns of the runs are numbered from 1.
    private var rows: Rows {
        let columns = ["stop"] + runs.indices.map { "\($0 + 1)" }
        let cells = stops.indices.map { row in
            Value.record(
                Record(
                    keys: columns,
                    values: [.text(stops[row].title)]
                        + runs.map { run in Value(run.times[row]) { .text(Self.clock($0)) } }))
        }
        return Rows(cells, columns: columns, cut: cut)
    }

    var summary: String { "line \(route.name) to \(towards), \(day.text)" }

    /// `08:15`; hours after midnight count past 24, as in printed timetables.
    private static func clock(_ seconds: Int) -> String { String(ServiceDay.scheduled(seconds).dropLast(3)) }

    var plainRows: Rows? {
        var rows = rows
        rows.note = ([title] + remarks).joined(separator: "; ")
        return rows
    }

    private var title: String {
        let end = towards.isEmpty ? direction.map { ", direction \($0)" } ?? "" : " to \(towards)"
        return "\(route.name)\(end), \(day.weekdayName) \(day.text)"
    }

    private var remarks: [String] { (runs.isEmpty ? ["no trips on this day"] : []) + notes }

    func rendered(in environment: PluginKit.Environment) -> String {
        guard !runs.isEmpty else { return ([title] + remarks).joined(separator: "\n") }
        let width = max(30, environment.width)
        let cell = runs.flatMap(\.times.values).map { Self.clock($0).count }.max() ?? 5
        let names = self.names(width, cell: cell + 2)
        let fit = max(1, (width - names) / (cell + 2))
        var lines = [DisplayWidth.truncated(title, to: width)] + remarks
        for first in stride(from: 0, to: runs.count, by: fit) {
            if first > 0 { lines.append("") }
            let block = runs[first..<min(first + fit, runs.count)]
            for (row, stop) in stops.enumerated() where block.contains(where: { $0.times[row] != nil }) {
                let name = DisplayWidth.padded(DisplayWidth.truncated(stop.title, to: names), to: names)
                lines.append(
                    name
                        + block.map { run in
                            let text = run.times[row].map(Self.clock) ?? "|"
                            return "  " + String(repeating: " ", count: max(0, cell - text.count)) + text
                        }.joined())
            }
        }
        if let cut { lines.append(cut.summary) }
        return lines.joined(separator: "\n")
    }
}

extension LineTimetable {
    private static let shortNames = 24

    /// The width of stop names in cells: as wide as they need without adding a block of runs.
    private func names(_ width: Int, cell: Int) -> Int {
        let longest = stops.map { DisplayWidth.of($0.title) }.max() ?? 4
        let short = min(Self.shortNames, longest)
        func blocks(_ names: Int) -> Int {
            let fit = max(1, (width - names) / cell)
            return (runs.count + fit - 1) / fit
        }
        let room = width - cell * min(runs.count, max(1, (width - short) / cell))
        let names = max(short, min(longest, room))
        return blocks(names) == blocks(short) ? names : short
    }
}

/// Merges the stops of patterns into one list that preserves the order of each pattern.
enum StopMerge {
    /// The merged list and, for each pattern, the row of each of its stops. Patterns are merged in the order given: of stops
    /// between two common ones, those of the earlier pattern come first.
    static func rows(of patterns: [[Int64]]) -> (stops: [Int64], rows: [[Int]]) {
        var merged: [Int64] = []
        for pattern in patterns { merged = insert(pattern, into: merged) }
        return (merged, patterns.map { align($0, with: merged) })
    }

    /// The longest common subsequence as pairs of indexes.
    private static func common(_ a: [Int64], _ b: [Int64]) -> [(Int, Int)] {
        var table = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in a.indices.reversed() {
            for j in b.indices.reversed() {
                table[i][j] = a[i] == b[j] ? table[i + 1][j + 1] + 1 : max(table[i + 1][j], table[i][j + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var (i, j) = (0, 0)
        while i < a.count, j < b.count {
            if a[i] == b[j] {
                pairs.append((i, j))
                (i, j) = (i + 1, j + 1)
            } else if table[i + 1][j] >= table[i][j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    private static func insert(_ pattern: [Int64], into merged: [Int64]) -> [Int64] {
        var out: [Int64] = []
        var (i, j) = (0, 0)
        for (a, b) in common(pattern, merged) + [(pattern.count, merged.count)] {
            out += merged[j..<b] + pattern[i..<a]
            if b < merged.count { out.append(merged[b]) }
            (i, j) = (a + 1, b + 1)
        }
        return out
    }

    private static func align(_ pattern: [Int64], with merged: [Int64]) -> [Int] {
        common(pattern, merged).map(\.1)
    }
}

extension TripTable {
    /// The printed timetable of a line on a service day.
    func timetable(of line: LineObject, on day: CivilDate, direction asked: Int?, limit: Int) throws
        -> LineTimetable
    {
        let active = feed.services(on: day)
        var found: [Int: [(trip: TripRecord, start: Int)]] = [:]
        for trip in try of(route: line.number) {
            guard let service = feed.calendar.services.find(trip.service), active.runs[service] else {
                continue
            }
            for start in try starts(of: trip) {
                found[trip.direction ?? 0, default: []].append((trip, start.start))
            }
        }
        let direction = asked ?? found.keys.min() ?? 0
        var runs = found[direction] ?? []
        let others = found.filter { $0.key != direction }.sorted { $0.key < $1.key }.map { other in
            "direction \(other.key) has \(other.value.count, of: "trip"): --direction \(other.key)"
        }
        runs.sort { ($0.start, $0.trip.row) < ($1.start, $1.trip.row) }
        let total = runs.count
        runs = Array(runs.prefix(limit))
        var uses: [Int64: Int] = [:]
        for run in runs { uses[run.trip.pattern, default: 0] += 1 }
        var calls: [Int64: [PatternCall]] = [:]
        for pattern in uses.keys { calls[pattern] = try self.calls(ofPattern: pattern) }
        // The longest patterns first: shorter ones fall into their gaps.
        let patterns = uses.keys.sorted {
            let (a, b) = (calls[$0]?.count ?? 0, calls[$1]?.count ?? 0)
            return a != b ? a > b : $0 < $1
        }
        let merged = StopMerge.rows(of: patterns.map { (calls[$0] ?? []).map(\.stop) })
        let rows = Dictionary(uniqueKeysWithValues: zip(patterns, merged.rows))
        let names = Dictionary(
            try feed.stops.rows(merged.stops).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first }
        )
        let made = runs.map { run -> LineTimetable.Run in
            let own = calls[run.trip.pattern] ?? []
            var times: [Int: Int] = [:]
            for (index, row) in (rows[run.trip.pattern] ?? []).enumerated() {
                let isLast = index == own.count - 1
                times[row] = run.start + (isLast ? own[index].arrival : own[index].departure)
            }
            return LineTimetable.Run(trip: run.trip.id, times: times, start: run.start)
        }
        var signs: [String: Int] = [:]
        for run in runs {
            let last = calls[run.trip.pattern]?.last.flatMap { names[$0.stop]?.title } ?? ""
            signs[run.trip.headsign.flatMap { $0.isEmpty ? nil : $0 } ?? last, default: 0] += 1
        }
        let towards = signs.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3).map(\.key)
        return LineTimetable(
            route: line.route, towards: towards.joined(separator: " / "), direction: direction, day: day,
            stops: merged.stops.compactMap { names[$0] }, runs: made,
            cut: Cut(
                missing: total - runs.count, "the first \(runs.count) runs are shown; --limit shows more"),
            notes: others)
    }
}
