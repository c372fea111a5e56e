/// An object of a plugin's domain: a waypoint, a route, a trace, a store.
///
/// It is passed through pipes unchanged, so that a later command can use all of it, and shows its fields like
/// a record. To be drawn on a map it also conforms to `MapDrawable` of the Pictures module.
public protocol DomainObject: Sendable {
    /// Its kind, in one lower-case word or camelCase, such as `waypoint`.
    var typeName: String { get }
    /// The names of its fields in the order shown.
    var fieldNames: [String] { get }
    /// The value of a field; `nil` when it has no such field.
    func field(_ name: String) -> Value?
    /// One line that represents the object in a table or a list.
    var summary: String { get }
    /// The fields that every object of the type has, for tables without rows; `nil` if they differ between
    /// objects.
    static var declaredFieldNames: [String]? { get }
    /// Fields that data for other programs has in addition to the columns of a table, which are chosen for their width.
    static var dataFieldNames: [String] { get }
}

extension DomainObject {
    /// Not declared.
    public static var declaredFieldNames: [String]? { nil }

    /// None.
    public static var dataFieldNames: [String] { [] }

    /// The coordinate in the field `at`, if any.
    public var place: Value? { field("at") }
}

/// A number that 64 bits do not hold exactly: a value without fields.
public protocol NumericObject: DomainObject {
    /// The nearest floating-point number.
    var number: Double { get }
}
