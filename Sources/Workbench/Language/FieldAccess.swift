import Geodesy
import PluginKit

/// `value.field` and `value[index]`.
enum FieldAccess {
    static func field(_ name: String, of value: Value, _ span: SourceSpan) throws(RutterError) -> Value {
        if let found = value.field(name) { return found }
        switch value {
        case .list, .rows:
            if let rows = value.asRows, rows.columns?.contains(name) == true {
                return .list(try made { try rows.collect() }.map { $0.field(name) ?? .nothing })
            }
        case .coordinate(let place):
            if let part = coordinatePart(name, place) { return part }
        case .box(let box):
            if let part = boxPart(name, box) { return part }
        default: break
        }
        let names = names(of: value)
        throw LanguageErrors.unknownField(
            "\(value.kindWithArticle) has no field `\(name)`", at: .span(span),
            fix: names.isEmpty ? nil : "known fields: \(names.joined(separator: ", "))",
            suggestion: Suggestion.nearest(to: name, in: names))
    }

    /// The fields of a value.
    static func names(of value: Value) -> [String] {
        switch value {
        case .list, .rows: value.asRows?.columns ?? []
        case .coordinate: ["latitude", "longitude", "altitude"]
        case .box: ["south", "west", "north", "east", "center"]
        default: value.fieldNames ?? []
        }
    }

    private static func coordinatePart(_ name: String, _ coordinate: Coordinate) -> Value? {
        switch name {
        case "latitude": .quantity(Quantity(coordinate.latitude, .angle))
        case "longitude": .quantity(Quantity(coordinate.longitude, .angle))
        case "altitude": Value(coordinate.altitude) { .quantity(.altitude($0)) }
        default: nil
        }
    }

    private static func boxPart(_ name: String, _ box: BoundingBox) -> Value? {
        switch name {
        case "south": .quantity(Quantity(box.south, .angle))
        case "west": .quantity(Quantity(box.west, .angle))
        case "north": .quantity(Quantity(box.north, .angle))
        case "east": .quantity(Quantity(box.east, .angle))
        case "center": .coordinate(box.center)
        default: nil
        }
    }

    static func item(_ index: Value, of value: Value, _ span: SourceSpan) throws(RutterError) -> Value {
        if case .text(let name) = index { return try field(name, of: value, span) }
        guard case .integer(let wanted) = index else {
            throw LanguageErrors.index(
                "an index is a whole number, not \(index.kindWithArticle)", at: .span(span))
        }
        guard let rows = value.readyItems.map({ Rows($0) }) ?? value.asRows else {
            throw LanguageErrors.index("\(value.kindWithArticle) has no items", at: .span(span))
        }
        if let item = try made({ try rows.row(at: wanted) }) { return item }
        let count = try made { try rows.count() }
        throw LanguageErrors.index(
            "index \(wanted) is out of range, length \(count)", at: .span(span),
            fix: "items are counted from 0")
    }

    /// The rows of a sequence, with typed errors.
    private static func made<T>(_ body: () throws -> T) throws(RutterError) -> T {
        do { return try body() } catch let error as RutterError {
            throw error
        } catch {
            throw LanguageErrors.type("the rows cannot be computed: \(error)")
        }
    }
}
