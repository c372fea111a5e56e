import CivilTime
import Foundation
import PluginKit

/// What the cells of a column are. The whole column decides, not a cell, and quotes around a cell say nothing about it
/// (RFC 4180).
enum ColumnKind: String, CaseIterable, Sendable {
    case number, boolean, date, coordinate, quantity, text

    /// Kinds that are found in a column, in the order in which they are tried.
    static let found: [ColumnKind] = [.number, .boolean, .date, .coordinate, .quantity]

    var summary: String {
        switch self {
        case .number: "whole or decimal numbers"
        case .boolean: "true or false"
        case .date: "days or times in ISO 8601"
        case .coordinate: "LAT,LON in one cell"
        case .quantity: "numbers with a unit, such as 5 km"
        case .text: "text as it is"
        }
    }

    /// The value of a cell that is not blank; `nil` if it is none of this kind.
    func value(_ cell: String, in time: CellTime) -> Value? {
        if self == .text { return .text(cell) }
        let text = cell.trimmingCharacters(in: .whitespaces)
        switch self {
        case .number: return Value(numberText: text)
        case .boolean:
            switch text.lowercased() {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default: return nil
            }
        case .date: return time.moment(text).map { .date($0) }
        case .coordinate:
            guard text.contains(","),
                case .value(let value)? = try? LiteralParser.parse(text.filter { $0 != " " }),
                case .coordinate = value
            else { return nil }
            return value
        case .quantity:
            return QuantityText.read(text).map { .quantity($0) }
        case .text: return .text(cell)
        }
    }
}

/// Where times without an offset are.
struct CellTime: Sendable {
    /// The zone of the session.
    let zone: TimeZone

    /// The instant of a text in ISO 8601, if nanoseconds hold it.
    func moment(_ text: String) -> Timestamp? {
        guard text.utf8.count >= 10, let parts = ISO8601.parts(text), !Self.isFinerThanNanoseconds(text)
        else {
            return nil
        }
        return moment(parts)
    }

    /// The instant of what is written.
    func moment(_ parts: ISO8601.Parts) -> Timestamp {
        let (days, time) = (parts.date.daysSinceEpoch, parts.millisecondsOfDay ?? 0)
        guard let offset = parts.offsetSeconds else {
            var local = LocalTime.dateTime(days: days, milliseconds: time).moment(
                now: Timestamp(milliseconds: 0), in: zone)
            local.nanoseconds = parts.nanoseconds
            return local
        }
        var moment = Timestamp(milliseconds: (Int64(days) * 86_400 - Int64(offset)) * 1000 + Int64(time))
        moment.nanoseconds = parts.nanoseconds
        return moment
    }

    private static func isFinerThanNanoseconds(_ text: String) -> Bool {
        guard let point = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") })
        else { return false }
        return text.utf8[point...].dropFirst().prefix { (48...57).contains($0) }.dropFirst(9).contains {
            $0 != 48
        }
    }
}

/// Finds the kind of a column from its cells.
struct ColumnEvidence {
    /// The kinds that all cells so far are of.
    private var possible = ColumnKind.found
    private var filled = 0
    private var numbers = 0
    /// The first cell that is no number.
    private var other: (cell: String, line: Int)?
    private var dimension: PhysicalDimension?

    /// Takes a cell that is not blank.
    mutating func take(_ cell: String, line: Int, in time: CellTime) {
        filled += 1
        if ColumnKind.number.value(cell, in: time) != nil {
            // A number is nothing else: most columns are decided here.
            numbers += 1
            if possible.count > 1 || possible.first != .number { possible.removeAll { $0 != .number } }
            return
        }
        if other == nil { other = (cell, line) }
        if possible.isEmpty { return }
        possible.removeAll { kind in
            if kind == .number { return true }
            switch kind.value(cell, in: time) {
            case nil: return true
            // Lengths and durations in one column have no order: it is text.
            case .quantity(let quantity)?:
                defer { dimension = dimension ?? quantity.dimension }
                return (dimension ?? quantity.dimension) != quantity.dimension
            default: return false
            }
        }
    }

    /// A cell that is to stay text.
    mutating func takeText() {
        filled += 1
        possible = []
    }

    /// The kind; `nil` when no cell is filled.
    var kind: ColumnKind? { filled == 0 ? nil : possible.first ?? .text }

    /// Why a column is text although nearly all its cells are numbers.
    func exception(_ name: String) -> String? {
        guard kind == .text, let other, Double(numbers) >= DataSettings.almostNumbers * Double(filled),
            numbers > 1
        else { return nil }
        return "`\(name)` is text because of `\(other.cell.prefix(20))` in line \(other.line)"
    }
}
