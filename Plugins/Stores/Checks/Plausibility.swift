import CivilTime
import Formats
import Foundation
import GRDB
import Geodesy
import PluginKit
import TrailStores

/// Rules shared by several kinds of store: values that no format forbids but that are never intended.
enum Plausibility {
    /// Whether a coordinate is exactly 0,0, what a receiver without a fix reports.
    static func isNull(_ latitude: Double, _ longitude: Double) -> Bool { latitude == 0 && longitude == 0 }

    /// What is implausible about the date of something that was recorded, in words after "is"; `nil` if nothing is.
    static func strange(_ moment: Timestamp?, now: Timestamp?) -> String? {
        if let year = RecordingSettings.strangeYear(moment) { return "in the year \(year)" }
        if let moment, let clock = zeros[moment.seconds] {
            return "\(ISO8601.text(moment, fraction: .never)), the zero of \(clock)"
        }
        guard let moment, let now, moment.seconds(since: now) > CheckSettings.futureTolerance else {
            return nil
        }
        return "\(ISO8601.text(moment, fraction: .never)), which is in the future"
    }

    /// What a number in a column of dates may mean.
    static func clocks(_ column: String, of row: CheckedRow, now: Timestamp?) -> String {
        clocks(row.text(column) ?? row.number(column).map { Literal.number($0) }, now: now)
    }

    /// What a number in place of a date may mean: each clock by which it is a plausible time of a recording, in words that
    /// follow the value; empty if there is none.
    static func clocks(_ text: String?, now: Timestamp?) -> String {
        guard let number = text.flatMap(Double.init), number.isFinite else { return "" }
        let latest = (now?.seconds ?? CheckSettings.latestUnknown) + CheckSettings.futureTolerance
        let found = Clock.all.compactMap { clock -> String? in
            let seconds = number / clock.ticks - clock.zero
            // The session's clock may be set before the earliest.
            guard seconds >= CheckSettings.millennium, seconds <= latest,
                let moment = Timestamp(seconds: seconds)
            else { return nil }
            return "\(ISO8601.text(moment, fraction: .never)) if it counts \(clock.words)"
        }
        return found.isEmpty ? "" : ", which is " + found.joined(separator: ", or ")
    }

    /// A way in which programs count time.
    private struct Clock {
        /// Ticks of a second.
        let ticks: Double
        /// Seconds from its zero to 1970.
        let zero: Double
        let words: String

        static let all = [
            Clock(ticks: 1, zero: 0, words: "seconds since 1970"),
            Clock(ticks: 1e3, zero: 0, words: "milliseconds since 1970"),
            Clock(ticks: 1e6, zero: 0, words: "microseconds since 1970"),
            Clock(ticks: 1e9, zero: 0, words: "nanoseconds since 1970"),
            Clock(
                ticks: 1, zero: -CheckSettings.epochDifference, words: "seconds since 2001, as Apple's clock"),
            Clock(
                ticks: 1e9, zero: -CheckSettings.epochDifference,
                words: "nanoseconds since 2001, as Apple's clock"),
            Clock(ticks: 1, zero: -315_964_800, words: "seconds since 1980, as GPS"),
            Clock(ticks: 1e7, zero: 11_644_473_600, words: "ticks since 1601, as Windows"),
            Clock(ticks: 1e6, zero: 11_644_473_600, words: "microseconds since 1601, as Chrome"),
            Clock(ticks: 1, zero: 2_082_844_800, words: "seconds since 1904, as older Macs"),
            Clock(ticks: 1e7, zero: 62_135_596_800, words: "ticks since the year 1, as .NET"),
            Clock(ticks: 1 / 86_400, zero: 210_866_760_000, words: "Julian days"),
            Clock(ticks: 1 / 86_400, zero: 2_209_161_600, words: "days since 1899, as spreadsheets"),
        ]
    }

    /// Clocks whose zero is a plausible date: what a program writes that had no date at all, in seconds since 1970.
    private static let zeros: [Double: String] = [
        CheckSettings.epochDifference: "Apple's clock", CheckSettings.millennium: "receivers without a fix",
    ]

    /// Whether an identifier is the nil UUID, of zeros alone (RFC 9562, 5.9): what a program writes that had none.
    static func isNil(_ id: UUID) -> Bool {
        id == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// Whether a name is missing, or shows nothing.
    static func isBlank(_ text: String?) -> Bool {
        text?.allSatisfy { $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\u{200B}" } ?? true
    }

    /// A leg of a line that is impossible to travel: its index, length in metres and duration in seconds.
    /// With times the speed decides. Without times, a leg that is far longer than the line's ordinary ones.
    static func teleport(_ points: [TrackPoint]) -> (index: Int, metres: Double, seconds: Double?)? {
        let legs = zip(points, points.dropFirst()).map { $0.coordinate.distance(to: $1.coordinate) }
        let ordinary = legs.sorted()[safe: legs.count / 2] ?? 0
        for (index, leg) in legs.enumerated() where leg > CheckSettings.shortestTeleport {
            let seconds = points[index + 1].time.flatMap { end in
                points[index].time.map { end.seconds(since: $0) }
            }
            if let seconds, seconds > 0 {
                if leg / seconds > CheckSettings.fastest { return (index + 1, leg, seconds) }
            } else if leg > CheckSettings.teleportLegs * max(ordinary, 1), legs.count > 2 {
                return (index + 1, leg, nil)
            }
        }
        return nil
    }

    /// The description of an impossible leg.
    static func words(_ leg: (index: Int, metres: Double, seconds: Double?), of count: Int) -> String {
        let time = leg.seconds.map { " in \(Literal.duration($0.rounded()))" } ?? ""
        return
            "point \(leg.index + 1) of \(count) is \(Literal.quantity(.metres(leg.metres.rounded()))) from the one "
            + "before it\(time)"
    }

    /// The damage of a text: a NUL, at which C ends it, another control character, bytes that are not UTF-8, or what a
    /// conversion with a wrong encoding leaves; `nil` if it is intact.
    static func damage(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if let end = text.firstIndex(of: 0) { return "a NUL after \(end, of: "byte")" }
        // Tab, line feed and carriage return are text.
        if let end = text.firstIndex(where: { $0 < 0x20 && ![9, 10, 13].contains($0) || $0 == 0x7F }) {
            return "a control character after \(end, of: "byte")"
        }
        if text.allSatisfy({ $0 < 0x80 }) { return nil }
        guard let whole = String(validating: text, as: UTF8.self) else { return "bytes that are not UTF-8" }
        if whole.unicodeScalars.contains("\u{FFFD}") {
            return "the mark U+FFFD, which stands for bytes that a conversion lost"
        }
        return isReadTwice(whole) ? "UTF-8 that was read as Latin-1 and encoded again" : nil
    }

    /// The damage of a name: that of any text, or markup, which lists and maps show as it stands. Notes may have it.
    static func damageOfName(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        if let damage = damage(text) { return damage }
        guard text.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }),
            let mark = HTMLFragment.mark(in: String(decoding: text, as: UTF8.self))
        else { return nil }
        return "HTML, which is shown as it stands: \(mark)"
    }

    /// The damage of a name that is text already.
    static func damage(ofName text: String) -> String? {
        var text = text
        return text.withUTF8(damageOfName)
    }

    /// Whether the characters of a text are the bytes of UTF-8: each has a byte in Latin-1 or in its extension by Windows, and
    /// together these are text with characters of several bytes.
    private static func isReadTwice(_ text: String) -> Bool {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = windows[scalar] ?? UInt8(exactly: scalar.value) else { return false }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) != nil
    }

    /// The characters that Windows-1252 has in place of the control characters from 0x80 on; it leaves five of them.
    private static let windows: [Unicode.Scalar: UInt8] = {
        let table = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        return Dictionary(
            uniqueKeysWithValues: table.enumerated().map { ($0.element, UInt8(0x80 + $0.offset)) })
    }()

    /// A text without its NULs; `nil` if it has none, or is too long for a statement.
    static func cleaned(_ text: String?) -> String? {
        guard let text, text.utf8.contains(0), text.utf8.count <= 10_000 else { return nil }
        return text.replacing("\0", with: "")
    }

    /// Collects coordinates to find those with swapped latitude and longitude: isolated as stored, and near
    /// others when both are exchanged.
    struct SwapDetector {
        private struct Cell: Hashable {
            let latitude: Int
            let longitude: Int

            init(_ latitude: Double, _ longitude: Double) {
                self.latitude = Int(latitude.rounded(.down))
                self.longitude = Int(longitude.rounded(.down))
            }

            init(row: Int, column: Int) {
                latitude = row
                longitude = column
            }
        }

        private var cells: [Cell: Int] = [:]
        private var points: ContiguousArray<(latitude: Float, longitude: Float)> = []
        private var candidates: [(row: Int64, id: String?, latitude: Double, longitude: Double)] = []

        mutating func add(
            _ row: Int64, _ id: @autoclosure () -> String?, _ latitude: Double, _ longitude: Double
        ) {
            points.append((Float(latitude), Float(longitude)))
            let cell = Cell(latitude, longitude)
            let count = cells[cell, default: 0] + 1
            cells[cell] = count
            // A coordinate with many neighbours is not isolated.
            if count <= CheckSettings.loneNeighbours { candidates.append((row, id(), latitude, longitude)) }
        }

        private func count(around latitude: Double, _ longitude: Double) -> Int {
            let middle = Cell(latitude, longitude)
            var sum = 0
            for row in -1...1 {
                for column in -1...1 {
                    sum += cells[Cell(row: middle.latitude + row, column: middle.longitude + column)] ?? 0
                }
            }
            return sum
        }

        /// The ones that lie close to others with the other sign of a value, and the name of that value. Countries lie opposite
        /// each other on both sides of Greenwich, so that the same degree is not enough.
        var mirrored:
            [(point: (row: Int64, id: String?, latitude: Double, longitude: Double), column: String)]
        {
            let lone = candidates.filter { count(around: $0.latitude, $0.longitude) == 1 }
            return lone.prefix(CheckSettings.mostMirrored).flatMap { item in
                [(-1.0, 1.0, "latitude"), (1.0, -1.0, "longitude")].compactMap { turn in
                    let (latitude, longitude) = (item.latitude * turn.0, item.longitude * turn.1)
                    guard count(around: latitude, longitude) >= CheckSettings.loneNeighbours else {
                        return nil
                    }
                    let near = points.lazy.filter {
                        abs(Double($0.latitude) - latitude) < CheckSettings.mirrorDistance
                            && abs(Double($0.longitude) - longitude) < CheckSettings.mirrorDistance
                    }
                    return near.prefix(CheckSettings.loneNeighbours).count == CheckSettings.loneNeighbours
                        ? (item, turn.2) : nil
                }
            }
        }

        /// Their number if all of many have one and the same coordinate, as after a statement without its condition.
        var atOnePlace: Int? {
            guard points.count >= CheckSettings.fewestAtOnePlace, let first = points.first,
                points.allSatisfy({ $0 == first })
            else { return nil }
            return points.count
        }

        /// The swapped ones.
        var swapped: [(row: Int64, id: String?, latitude: Double, longitude: Double)] {
            candidates.filter { item in
                abs(item.longitude) <= 90 && count(around: item.latitude, item.longitude) == 1
                    && count(around: item.longitude, item.latitude) >= CheckSettings.loneNeighbours
            }
        }
    }

    /// Required indexes of a table, by their first columns.
    static func indexes(
        _ run: CheckRun, _ kind: FindingKind, _ wanted: [(table: String, columns: [String], name: String)]
    ) throws {
        for (table, columns, name) in wanted {
            guard try run.columns(table).isSuperset(of: columns) else { continue }
            // A view has no indexes of its own.
            guard try run.db.tableExists(table) else { continue }
            // An index of some rows alone does not serve a query of all.
            let partial = try String.fetchAll(
                run.db, sql: "SELECT name FROM pragma_index_list(?) WHERE partial = 1", arguments: [table])
            let present = try run.db.indexes(on: table)
            let has = present.contains {
                $0.columns.starts(with: columns) && !partial.contains($0.name)
            }
            if try has || run.primaryKey(table).starts(with: columns) { continue }
            let list = columns.map(\.sqlIdentifier).joined(separator: ", ")
            // An index of another content may have the name.
            let name = present.contains { $0.name == name } ? name + "_all" : name
            run.add(
                kind, table: table, "no index on \(columns.joined(separator: ", "))",
                repair: "CREATE INDEX IF NOT EXISTS \(name.sqlIdentifier) ON \(table.sqlIdentifier)(\(list))")
        }
    }
}

extension CheckRun {
    /// The columns of a table's primary key, in order.
    func primaryKey(_ table: String) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
    }
}

extension Array {
    /// The element at an index, if there is one.
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
