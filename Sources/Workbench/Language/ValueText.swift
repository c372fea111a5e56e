import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A value on one line: in a cell, inside of a text, in a message. Uses the same forms as literals.
enum ValueText {
    /// Items of a list shown before it is cut.
    private static let shownItems = 8
    /// Lists within lists that are written out; a list that holds itself in doubled form forty times over would
    /// else be a text without end.
    private static let shownDepth = 3

    static func inline(
        _ value: Value, timeZone: TimeZone = .gmt, units: UnitSystem = .metric, depth: Int = 0,
        isComplete: Bool = false
    ) -> String {
        switch value {
        case .nothing: ""
        case .boolean(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): Literal.number(number)
        case .quantity(let quantity): Literal.quantity(quantity, system: units)
        case .text(let text): text
        case .date(let date): self.date(date, timeZone)
        case .coordinate(let place): Literal.coordinate(place)
        case .box(let box): Literal.box(box)
        case .list(let items):
            items.isEmpty || ((isComplete || items.count <= shownItems) && depth < shownDepth)
                ? "[" + items.map { element($0, timeZone, units, depth) }.joined(separator: " ") + "]"
                : "[\(items.count) items]"
        case .record(let record) where depth >= shownDepth: "{\(record.keys.count) fields}"
        case .record(let record):
            "{"
                + zip(record.keys, record.values).map { "\($0): \(element($1, timeZone, units, depth))" }
                .joined(separator: " ") + "}"
        case .rows(let rows): rows.ready.map { "[\($0.count) rows]" } ?? "[rows]"
        case .object(let object): object.summary
        }
    }

    static func date(_ date: Timestamp, _ timeZone: TimeZone) -> String {
        let offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: date.seconds))
        return ISO8601.text(date, offsetSeconds: offset)
    }

    private static func element(
        _ value: Value, _ timeZone: TimeZone, _ units: UnitSystem, _ depth: Int
    ) -> String {
        if case .text(let text) = value { return Literal.text(text) }
        if case .nothing = value { return "nothing" }
        return inline(value, timeZone: timeZone, units: units, depth: depth + 1)
    }
}
