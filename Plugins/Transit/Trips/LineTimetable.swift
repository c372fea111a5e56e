import CivilTime
import Foundation
import PluginKit

/// The printed timetable of a line: a row for each stop, a column for each run.
struct LineTimetable: FieldedObject, SelfRendering {
    /// A run of a trip.
    struct Run: Sendable {
        var trip: String
        /// Departures, at the last stop the arrival, by row, in seconds of the service day.
        var times: [Int: Int]
        var start: Int
        /// The expected times by row where a message has them, and the rows that it skips.
        var expected: [Int: Int] = [:]
        var skipped: Set<Int> = []
        /// `6min late`, `Cancelled`; `nil` without realtime data.
        var status: String?

        /// `08:06*` for an expected time that is not the scheduled one, `08:00x` for a call that is not made.
        func cell(_ row: Int) -> String? {
            times[row].map { planned in
                if skipped.contains(row) { return LineTimetable.clock(planned) + "x" }
                let time = expected[row] ?? planned
                let isSame = (time + 86_400) / 60 == (planned + 86_400) / 60
                return LineTimetable.clock(time) + (isSame ? "" : "*")
            }
        }
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

    static let fields = FieldTable<Self> {
        Field("line") { .text($0.route.name) }
        Field("towards") { .text($0.towards) }
        Field("direction") { Value($0.direction, Value.integer) }
        Field("day") { .text($0.day.text) }
        Field("stops") { .integer($0.stops.count) }
        Field("trips") { .integer($0.runs.count) }
        Field("rows") { .rows($0.rows) }
        Field("runs") { .rows($0.runRows) }
        Field("notes") { .list($0.notes.map { .text($0) }) }
    }

    /// A row for each stop; the columns of the runs are numbered from 1.
    private var rows: Rows {
        let columns = ["stop"] + runs.indices.map { "\($0 + 1)" }
        let cells = stops.indices.map { row in
            Value.record(
                Record(
                    keys: columns,
                    values: [.text(stops[row].title)]
                        + runs.map { run in Value(run.cell(row), Value.text) }))
        }
        return Rows(cells, columns: columns, cut: cut)
    }

    /// A row for each run, in the order of the columns.
    private var runRows: Rows {
        let columns = ["trip", "departs", "arrives", "status"]
        return Rows(
            runs.map { run in
                let served = run.times.filter { !run.skipped.contains($0.key) }
                let times = (served.isEmpty ? run.times : served).map { run.expected[$0.key] ?? $0.value }
                return .record(
                    Record(
                        keys: columns,
                        values: [
                            .text(run.trip), Value(times.min()) { .text(Self.clock($0)) },
                            Value(times.max()) { .text(Self.clock($0)) }, .text(run.status ?? "Scheduled"),
                        ]))
            }, columns: columns, cut: cut)
    }

    var summary: String { "line \(route.name) to \(towards), \(day.text)" }

    /// `08:15`; hours after midnight count past 24, as in printed timetables.
    fileprivate static func clock(_ seconds: Int) -> String {
        // Before midnight it is the day before.
        String(ServiceDay.scheduled(seconds < 0 ? seconds + 86_400 : seconds).dropLast(3))
    }

    var plainRows: Rows? {
        var rows = rows
        rows.note = ([title] + remarks).joined(separator: "; ")
        return rows
    }

    private var title: String {
        let end = towards.isEmpty ? direction.map { ", direction \($0)" } ?? "" : " to \(towards)"
        return "\(route.name)\(end), \(day.weekdayName) \(day.text)"
    }

    private var remarks: [String] {
        let cells = runs.flatMap { run in run.times.keys.compactMap(run.cell) }
        let marks = [("*", "expected"), ("x", "not served")].filter { mark, _ in
            cells.contains { $0.hasSuffix(mark) }
        }.map { "\($0): \($1)" }
        return (runs.isEmpty ? ["no trips on this day"] : []) + marks + notes
    }

    func rendered(in environment: PluginKit.Environment) -> String {
        guard !runs.isEmpty else { return ([title] + remarks).joined(separator: "\n") }
        let width = max(30, environment.width)
        let cell = runs.flatMap { run in run.times.keys.compactMap { run.cell($0)?.count } }.max() ?? 5
        let isMarked = runs.contains { run in
            run.times.keys.contains { run.cell($0)?.last?.isNumber == false }
        }
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
                            let written = run.cell(row) ?? "|"
                            // Unmarked times stand below each other.
                            let text =
                                isMarked && written.last?.isNumber ?? true ? written + " " : written
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
