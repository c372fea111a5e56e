import CivilTime
import Geodesy
import PluginKit

/// The key by which `group`, `unique` and `join` compare values: 1 and 1.0, 2km and 2000m, and an object and
/// a record with its fields are equal.
enum ValueKey: Hashable, Sendable {
    case nothing
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case exact(ExactNumber)
    case notANumber
    case quantity(PhysicalDimension, Double)
    case text(String)
    case date(Timestamp)
    case coordinate(Coordinate)
    case box(BoundingBox)
    case list([ValueKey])
    case fields([String: ValueKey])

    init(_ value: Value) throws {
        switch value {
        case .nothing: self = .nothing
        case .boolean(let flag): self = .boolean(flag)
        case .integer(let number): self = .integer(number)
        case .number(let number): self = Self.key(of: number)
        case .quantity(let quantity):
            self = .quantity(quantity.dimension, DecimalNumber.rounded(quantity.value))
        case .text(let text): self = .text(text)
        case .date(let date): self = .date(date)
        case .coordinate(let place): self = .coordinate(place)
        case .box(let box): self = .box(box)
        case .list(let items): self = .list(try items.map(ValueKey.init))
        case .rows(let rows): self = .list(try rows.collect().map(ValueKey.init))
        case .object(let exact as ExactNumber): self = .exact(exact)
        case .record, .object:
            let record = value.asRecord ?? Record()
            var fields: [String: ValueKey] = [:]
            // A missing field is nothing.
            for (name, field) in zip(record.keys, record.values) {
                let key = try ValueKey(field)
                if key != .nothing { fields[name] = key }
            }
            self = .fields(fields)
        }
    }

    private static func key(of number: Double) -> ValueKey {
        if number.isNaN { return .notANumber }
        return Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
}
