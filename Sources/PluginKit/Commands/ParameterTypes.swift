import CivilTime
import Foundation
import Geodesy

/// The host passed a value of the wrong kind: a bug in the host, not a user error.
private func unexpected(_ value: Value, _ wanted: String) -> RutterError {
    CommonErrors.inputKind("expected \(wanted), not \(value.kindName)")
}

extension ParameterType where T == String {
    /// Any text.
    public static var text: ParameterType<String> { textual(.text) }
    /// The name of a field.
    public static var field: ParameterType<String> { textual(.field) }
    /// All words up to the end of the command, as written.
    public static var words: ParameterType<String> { textual(.words) }
    /// One of a few words.
    public static func choice(_ choices: [ParameterKind.Choice]) -> ParameterType<String> {
        textual(.choice(choices))
    }

    private static func textual(_ kind: ParameterKind) -> ParameterType<String> {
        ParameterType(kind) { value in
            guard case .text(let text) = value else { throw unexpected(value, "text") }
            return text
        }
    }
}

extension ParameterType {
    /// One of the cases of an enumeration, written as its raw value.
    public static func choice(
        of type: T.Type, _ summary: (T) -> String = { _ in "" }
    ) -> ParameterType<T> where T: CaseIterable & RawRepresentable<String> {
        let choices = T.allCases.map { ParameterKind.Choice($0.rawValue, summary($0)) }
        return ParameterType(.choice(choices)) { value in
            guard case .text(let text) = value, let item = T(rawValue: text) else {
                throw unexpected(value, "one of \(T.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            return item
        }
    }

    /// An item that a plugin resolves by name or id.
    public static func reference(_ kind: String, to type: T.Type) -> ParameterType<T> where T: DomainObject {
        ParameterType(.reference(kind)) { value in
            guard case .object(let object) = value, let item = object as? T else {
                throw unexpected(value, kind)
            }
            return item
        }
    }
}

extension ParameterType where T == any DomainObject {
    /// An item of one of several kinds, each resolved by the plugin that owns it.
    public static func reference(toAnyOf kinds: [String]) -> ParameterType<any DomainObject> {
        ParameterType(.reference(kinds.joined(separator: "|"))) { value in
            guard case .object(let object) = value else {
                throw unexpected(value, kinds.joined(separator: " or "))
            }
            return object
        }
    }
}

extension ParameterType where T == Int {
    /// A whole number within a range.
    public static func integer(_ range: ClosedRange<Int> = Int.min...Int.max) -> ParameterType<Int> {
        ParameterType(.integer(range)) { value in
            guard case .integer(let number) = value else { throw unexpected(value, "whole number") }
            return number
        }
    }
}

extension ParameterType where T == Double {
    /// A number within a range.
    public static func number(
        _ range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) -> ParameterType<Double> {
        ParameterType(.number(range)) { value in
            guard let number = value.asNumber else { throw unexpected(value, "number") }
            return number
        }
    }

    /// A quantity of a dimension, in base units, within a range of base units.
    public static func quantity(
        _ dimension: PhysicalDimension,
        in range: ClosedRange<Double> = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
    ) -> ParameterType<Double> {
        ParameterType(.quantity(dimension, range)) { value in
            guard case .quantity(let quantity) = value else { throw unexpected(value, dimension.name) }
            return quantity.value
        }
    }
}

extension ParameterType where T == Bool {
    /// `true` or `false`.
    public static var boolean: ParameterType<Bool> {
        ParameterType(.boolean) { value in
            guard case .boolean(let flag) = value else { throw unexpected(value, "boolean") }
            return flag
        }
    }
}

extension ParameterType where T == Coordinate {
    /// A coordinate.
    public static var coordinate: ParameterType<Coordinate> {
        ParameterType(.coordinate) { value in
            guard let place = value.asCoordinate else { throw unexpected(value, "coordinate") }
            return place
        }
    }
}

/// A coordinate, with the name of the place when it was found by name.
public struct PlaceArgument: Sendable, Hashable {
    /// The coordinate.
    public let coordinate: Coordinate
    /// The name by which it was found; `nil` for a coordinate or an item that has one.
    public let name: String?
}

extension ParameterType where T == PlaceArgument {
    /// A coordinate with the name by which it was found.
    public static var namedPlace: ParameterType<PlaceArgument> {
        ParameterType(.coordinate) { value in
            guard let place = value.asCoordinate else { throw unexpected(value, "coordinate") }
            var name: String?
            if case .object(let object) = value, case .text(let text)? = object.field("name") { name = text }
            return PlaceArgument(coordinate: place, name: name)
        }
    }
}

extension ParameterType where T == BoundingBox {
    /// A box.
    public static var box: ParameterType<BoundingBox> {
        ParameterType(.box) { value in
            guard case .box(let box) = value else { throw unexpected(value, "box") }
            return box
        }
    }
}

extension ParameterType where T == Timestamp {
    /// An instant.
    public static var date: ParameterType<Timestamp> {
        ParameterType(.date) { value in
            guard case .date(let date) = value else { throw unexpected(value, "date") }
            return date
        }
    }
}

extension ParameterType where T == WrittenTime {
    /// An instant; without an offset it is a wall-clock time in the zone that the command decides.
    public static var localDate: ParameterType<WrittenTime> {
        ParameterType(.localDate) { value in
            switch value {
            case .date(let date): return .moment(date)
            case .text(let text):
                guard let local = LocalTime(text: text) else { throw unexpected(value, "date") }
                return .local(local)
            default: throw unexpected(value, "date")
            }
        }
    }
}

extension ParameterType where T == URL {
    /// A file that exists and may be read.
    public static var inputFile: ParameterType<URL> { path(.inputFile) }
    /// A file that may be written; whether it exists is for the command to decide.
    public static var outputFile: ParameterType<URL> { path(.outputFile) }
    /// A file or folder that exists and may be read.
    public static var inputPath: ParameterType<URL> { path(.inputPath) }

    private static func path(_ kind: ParameterKind) -> ParameterType<URL> {
        ParameterType(kind) { value in
            guard case .text(let path) = value else { throw unexpected(value, "file name") }
            return URL(fileURLWithPath: path)
        }
    }
}

extension ParameterType where T == Value {
    /// A value of any kind.
    public static var value: ParameterType<Value> { ParameterType(.value) { $0 } }
}

extension ParameterType where T == RowExpression {
    /// An expression about each row.
    public static var expression: ParameterType<RowExpression> {
        ParameterType(.expression) { value in
            guard case .object(let object) = value, let expression = object as? RowExpression else {
                throw unexpected(value, "expression")
            }
            return expression
        }
    }
}

extension ParameterType where T == DeferredPipeline {
    /// A pipeline that the command runs itself.
    public static var pipeline: ParameterType<DeferredPipeline> {
        ParameterType(.pipeline) { value in
            guard case .object(let object) = value, let pipeline = object as? DeferredPipeline else {
                throw unexpected(value, "pipeline")
            }
            return pipeline
        }
    }
}
