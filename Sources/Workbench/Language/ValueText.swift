import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A value on one line: in a cell, in text, in a message. Uses the syntax of literals.
enum ValueText {
    /// Maximum number of items of a list that is shown whole, and items shown of a longer list.
    private static let shownItems = (whole: 8, ofMore: 2)
    /// Deepest nested list that is written out; a list that contains itself doubled forty times would
    /// otherwise be exponentially long. Complete text is for data, which nests deeper.
    private static let shownDepth = (brief: 3, complete: 24)

    /// `isComplete` writes all items of lists and the rows of tables, for programs and files.
    static func inline(
        _ value: Value, timeZone: TimeZone = .gmt, units: UnitSystem = .metric, depth: Int = 0,
        isComplete: Bool = false
    ) -> String {
        switch value {
        case .nothing: return ""
        case .boolean(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .number(let number): return Literal.exact(number)
        case .quantity(let quantity): return Literal.quantity(quantity, system: units)
        case .text(let text): return text
        case .date(let date): return day(date, timeZone)
        case .coordinate(let place): return Literal.coordinate(place)
        case .box(let box): return Literal.box(box)
        case .object(let object): return object.summary
        case .list, .record, .rows:
            let nested = Nested(timeZone: timeZone, units: units, depth: depth, isComplete: isComplete)
            return nested.text(value)
        }
    }

    /// A time as a literal; midnight in the zone is written as the day.
    static func day(_ date: Timestamp, _ timeZone: TimeZone) -> String {
        let text = self.date(date, timeZone)
        let civil = date.civil(in: timeZone)
        guard let clock = text.firstIndex(of: "T"), civil.millisecondsOfDay == 0, date.nanoseconds == 0,
            date
                == LocalTime.dateTime(days: civil.date.daysSinceEpoch, milliseconds: 0).moment(
                    now: date, in: timeZone)
        else { return text }
        return String(text[..<clock])
    }

    /// A time in ISO 8601 with its offset.
    static func date(_ date: Timestamp, _ timeZone: TimeZone) -> String {
        let offset = timeZone.offset(at: date)
        return ISO8601.text(date, offsetSeconds: offset)
    }

    /// Writes values that contain others.
    private struct Nested {
        let timeZone: TimeZone
        let units: UnitSystem
        let depth: Int
        let isComplete: Bool

        private var isTooDeep: Bool { depth >= (isComplete ? shownDepth.complete : shownDepth.brief) }

        func text(_ value: Value) -> String {
            switch value {
            case .list(let items): list(items)
            case .rows(let rows):
                if isComplete, let ready = rows.ready {
                    list(ready)
                } else {
                    rows.ready.map { "[\($0.count, of: "row")]" } ?? "[rows]"
                }
            case .record(let record) where isTooDeep: "{\(record.keys.count) fields}"
            case .record(let record):
                "{" + zip(record.keys, record.values).map { "\($0): \(element($1))" }.joined(separator: " ")
                    + "}"
            default: element(value)
            }
        }

        private func list(_ items: [Value]) -> String {
            if items.isEmpty { return "[]" }
            if isTooDeep { return "[\(items.count) items]" }
            if isComplete || items.count <= shownItems.whole {
                return "[" + items.map(element).joined(separator: " ") + "]"
            }
            let first = items.prefix(shownItems.ofMore).map(element).joined(separator: " ")
            return "[\(first) … \(items.count - shownItems.ofMore) more]"
        }

        private func element(_ value: Value) -> String {
            if case .text(let text) = value { return Literal.text(text) }
            if case .nothing = value { return "nothing" }
            return ValueText.inline(
                value, timeZone: timeZone, units: units, depth: depth + 1, isComplete: isComplete)
        }
    }
}
