import CivilTime
import Foundation
import Geodesy
import PluginKit

/// A JSON value on its way to text. Objects keep the order of their members.
indirect enum JSONNode {
    case null
    case boolean(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([(name: String, value: JSONNode)])

    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// How deep values may be nested, in reading and in writing; keeps hostile data off the stack's end.
    static let deepest = 200
}

extension JSONNode {
    /// Decimals of degrees: 10⁻⁷ is a centimetre.
    static let coordinateDecimals = 7
    /// Digits that mean something after a conversion of units.
    private static let quantityDigits = 15

    /// A value by the rules of `to json`: quantities as plain numbers in base units, places as objects with
    /// latitude and longitude, dates as ISO 8601 with offset, rows as objects.
    init(_ value: Value, timeZone: TimeZone, depth: Int = 0) throws {
        guard depth <= Self.deepest else {
            throw DataErrors.depth("the value is nested more than \(Self.deepest) deep")
        }
        func inner(_ value: Value) throws -> JSONNode {
            try JSONNode(value, timeZone: timeZone, depth: depth + 1)
        }
        switch value {
        case .nothing: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .number(String(number))
        case .number(let number): self = .init(number)
        case .quantity(let quantity): self = .init(rounding: quantity.value)
        case .text(let text): self = .string(text)
        case .date(let date): self = .string(ValueText.date(date, timeZone))
        case .coordinate(let place): self = .init(place)
        case .box(let box):
            let edges = [("south", box.south), ("west", box.west), ("north", box.north), ("east", box.east)]
            self = .object(edges.map { ($0.0, .init(degrees: $0.1)) })
        case .list(let items): self = .array(try items.map(inner))
        case .rows(let rows):
            self = .array(try rows.collect().map { try inner($0.asRow(rows.columns)) })
        case .record, .object:
            let record = value.asRecord ?? Record()
            self = .object(try zip(record.keys, record.values).map { ($0, try inner($1)) })
        }
    }

    /// A number in its shortest form that reads back the same; null where it is none.
    init(_ number: Double) {
        guard number.isFinite else {
            self = .null
            return
        }
        let isWhole = number == number.rounded() && abs(number) < 1e15
        self = .number(isWhole ? String(Int(number)) : number.description)
    }

    /// A number whose last digits are an accident of a conversion.
    init(rounding number: Double) {
        self.init(Double(String(format: "%.\(Self.quantityDigits)g", number)) ?? number)
    }

    /// An angle of a place.
    init(degrees: Double) {
        self.init(Double(Literal.decimal(degrees, decimals: Self.coordinateDecimals)) ?? degrees)
    }

    private init(_ place: Coordinate) {
        var members: [(name: String, value: JSONNode)] = [
            ("latitude", .init(degrees: place.latitude)), ("longitude", .init(degrees: place.longitude)),
        ]
        if let altitude = place.altitude { members.append(("altitude", .init(rounding: altitude))) }
        self = .object(members)
    }
}

extension Value {
    /// A row of a table with the table's columns only.
    func asRow(_ columns: [String]?) -> Value {
        guard let columns, let names = fieldNames, names != columns else { return self }
        return .record(Record(keys: columns, values: columns.map { field($0) ?? .nothing }))
    }
}
