import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

extension JSONTree {
    /// Significant digits after a unit conversion.
    private static let quantityDigits = 15

    /// A value by the rules of `to json`: quantities as plain numbers in base units, coordinates as objects with
    /// latitude and longitude, dates as ISO 8601 with offset, rows as objects. Throws `E-DATA-DEPTH`.
    init(_ value: Value, timeZone: TimeZone, depth: Int = 0) throws {
        guard depth <= JSONSettings.deepest else {
            throw DataErrors.depth("the value is nested more than \(JSONSettings.deepest) deep")
        }
        func inner(_ value: Value) throws -> JSONTree {
            try JSONTree(value, timeZone: timeZone, depth: depth + 1)
        }
        switch value {
        case .nothing: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self.init(number)
        case .number(let number): self.init(number)
        case .quantity(let quantity): self = Self.rounded(quantity.value)
        case .text(let text): self = .text(text)
        case .date(let date): self = .text(ValueText.date(date, timeZone))
        case .coordinate(let place):
            self.init(members: [
                "latitude": Self.degrees(place.latitude), "longitude": Self.degrees(place.longitude),
                "altitude": place.altitude.map(Self.rounded),
            ])
        case .box(let box):
            self.init(members: [
                "south": Self.degrees(box.south), "west": Self.degrees(box.west),
                "north": Self.degrees(box.north), "east": Self.degrees(box.east),
            ])
        case .list(let items): self = .list(try items.map(inner))
        case .rows(let rows):
            let columns = rows.columns.map(TableColumns.init)
            self = .list(try rows.collect().map { try inner($0.asRow(columns)) })
        case .object(let exact as ExactNumber): self = .number(exact.digits)
        case .record, .object:
            let record = value.asRecord ?? Record()
            self = .object(try zip(record.keys, record.values).map { Member($0, try inner($1)) })
        }
    }

    /// A number without the rounding error of a unit conversion.
    private static func rounded(_ number: Double) -> JSONTree {
        JSONTree(Double(String(format: "%.\(quantityDigits)g", number)) ?? number)
    }

    /// An angle of a coordinate, which reads back as the same.
    private static func degrees(_ degrees: Double) -> JSONTree { JSONTree(degrees) }
}

/// Converts JSON to values. Numbers of more digits than 64 bits hold are exact numbers, up to 38 digits; longer ones are text.
struct JSONValues {
    /// The keys of the last object, shared by following objects that have the same keys.
    private var lastKeys: [String] = []

    /// The value of a tree; throws when the command is cancelled.
    static func value(of tree: JSONTree) throws -> Value {
        var values = JSONValues()
        return try values.value(of: tree)
    }

    mutating func value(of tree: JSONTree) throws -> Value {
        switch tree {
        case .null: return .nothing
        case .boolean(let flag): return .boolean(flag)
        case .number(let text):
            if let whole = Int(text) { return .integer(whole) }
            if let exact = ExactNumber(text) { return .object(exact) }
            // Digits that no number keeps are kept as text.
            if !text.contains(where: { "eE".contains($0) }), ExactNumber.isTooLong(text) {
                return .text(text)
            }
            let number = Double(text) ?? .nan
            return WrittenNumber.vanishes(text, as: number) ? .text(text) : .number(number)
        case .text(let text): return .text(text)
        case .list(let items):
            try Interruption.check()
            return try items.map { try value(of: $0) }.asTableIfRecords
        case .object(let members):
            if !lastKeys.elementsEqual(members.lazy.map(\.key)) { lastKeys = members.map(\.key) }
            let keys = lastKeys
            return .record(
                Record(
                    keys: keys,
                    values: try members.map { member in
                        let inner = try value(of: member.value)
                        return Self.coordinate(inner).map { .coordinate($0) } ?? inner
                    }))
        }
    }

    /// The coordinate that `to json` writes as an object.
    private static func coordinate(_ value: Value) -> Coordinate? {
        guard case .record(let record) = value, (2...3).contains(record.keys.count),
            record.keys.prefix(2) == ["latitude", "longitude"],
            record.keys.count == 2 || record.keys[2] == "altitude",
            let latitude = record.values[0].asNumber, let longitude = record.values[1].asNumber
        else { return nil }
        var place = Coordinate(latitude: latitude, longitude: longitude)
        if record.keys.count == 3 {
            guard let altitude = record.values[2].asNumber else { return nil }
            place.altitude = altitude
        }
        return place.isValid ? place : nil
    }
}

extension Value {
    /// The number that a text represents in JSON; `nil` for other text, for leading zeros, and for integers
    /// that are so long that they must be identifiers.
    init?(numberText text: String) {
        guard let isWhole = JSONNumber.isWhole(text) else { return nil }
        if let exact = ExactNumber(text) {
            self = .object(exact)
        } else if ExactNumber.isTooLong(text) {
            return nil
        } else if isWhole {
            guard let number = Int(text) else { return nil }
            self = .integer(number)
        } else {
            guard let number = Double(text), number.isFinite, !WrittenNumber.vanishes(text, as: number) else {
                return nil
            }
            self = .number(number)
        }
    }

    /// A row of a table with the table's columns only. A field that the row does not have is left out: that it is absent is
    /// another thing than that it is empty.
    func asRow(_ columns: TableColumns?) -> Value {
        guard let columns, let names = fieldNames, names != columns.names else { return self }
        // In the order of whichever is shorter, so that rows with few of many columns cost what they have.
        let kept =
            names.count < columns.names.count
            ? names.filter(columns.set.contains) : columns.names.filter { field($0) != nil }
        return .record(Record(keys: kept, values: kept.map { field($0) ?? .nothing }))
    }
}

extension [Value] {
    /// A table when all items are records, with the fields of all of them as columns; otherwise the list.
    var asTableIfRecords: Value {
        guard let names = fieldNames(after: []), !names.isEmpty else { return .list(self) }
        return .table(columns: names, rows: self)
    }
}

/// The columns of a table, in order and for look-up.
struct TableColumns {
    let names: [String]
    let set: Set<String>

    init(_ names: [String]) { (self.names, set) = (names, Set(names)) }
}
