import CivilTime
import Geodesy

/// A value passed between commands. The terminal output is one rendering of it.
public enum Value: Sendable {
    /// No value; prints nothing.
    case nothing
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number.
    case integer(Int)
    /// A floating-point number.
    case number(Double)
    /// A number with a unit.
    case quantity(Quantity)
    /// Text.
    case text(String)
    /// An instant.
    case date(Timestamp)
    /// A coordinate.
    case coordinate(Coordinate)
    /// A box between parallels and meridians.
    case box(BoundingBox)
    /// Values in order.
    case list([Value])
    /// Named fields in order.
    case record(Record)
    /// Rows: a table, or a stream of lazy rows. Indirect, so that values stay small.
    indirect case rows(Rows)
    /// An object of a plugin's domain, which shows its fields like a record.
    case object(any DomainObject)
}

extension Value {
    /// The kind of value, as error messages name it.
    public var kindName: String {
        switch self {
        case .nothing: "nothing"
        case .boolean: "boolean"
        case .integer, .number: "number"
        case .quantity(let quantity): quantity.dimension.name
        case .text: "text"
        case .date: "date"
        case .coordinate: "coordinate"
        case .box: "box"
        case .list: "list"
        case .record: "record"
        case .rows(let rows): rows.isLazy ? "stream of rows" : rows.columns == nil ? "list" : "table"
        case .object(let object): object.typeName
        }
    }

    /// The number held, whole or not; `nil` for other kinds.
    public var asNumber: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .object(let object): (object as? any NumericObject)?.number
        default: nil
        }
    }

    /// The coordinate: a coordinate, an object or record that has one in `at`, or a record with a latitude and a longitude as
    /// numbers, such as a row of SQL or of a file.
    public var asCoordinate: Coordinate? {
        switch self {
        case .coordinate(let place): return place
        case .object, .record:
            if case .coordinate(let place)? = field("at") { return place }
            guard case .record(let record) = self, let pair = AngleColumns(in: record.keys),
                let latitude = record[pair.latitude]?.asNumber,
                let longitude = record[pair.longitude]?.asNumber
            else { return nil }
            let place = Coordinate(latitude: latitude, longitude: longitude)
            return place.isValid ? place : nil
        default: return nil
        }
    }

    /// A field of a record or object; `nil` when there is no such field or the value has no fields.
    public func field(_ name: String) -> Value? {
        switch self {
        case .record(let record): record[name]
        case .object(let object): object.field(name)
        default: nil
        }
    }

    /// The names of the fields of a record or object, in order; `nil` for other kinds.
    public var fieldNames: [String]? {
        switch self {
        case .record(let record): record.keys
        case .object(let object): object is any NumericObject ? nil : object.fieldNames
        default: nil
        }
    }

    /// The fields of a record or object as a record; `nil` for other kinds.
    public var asRecord: Record? {
        switch self {
        case .record(let record): return record
        case .object(let object):
            if object is any NumericObject { return nil }
            let names = object.fieldNames
            return Record(keys: names, values: names.map { object.field($0) ?? .nothing })
        default: return nil
        }
    }

    /// A value for an optional: `.nothing` where there is none.
    public init<T>(_ optional: T?, _ make: (T) -> Value) {
        self = optional.map(make) ?? .nothing
    }
}
