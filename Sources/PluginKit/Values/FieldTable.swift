/// A domain object whose fields are written once, as a table of its type.
///
///     struct Beacon: FieldedObject {
///         static let fields = FieldTable<Self> {
///             Field(column: "name") { .text($0.name) }
///             Field(column: "at") { .coordinate($0.coordinate) }
///             Field("distance", where: { $0.distance != nil }) { Value($0.distance) { .quantity(.metres($0)) } }
///         }
///     }
///
/// The names in their order, the columns of lists and the fields of a table without rows follow from it.
public protocol FieldedObject: DomainObject {
    /// Its fields, in the order shown.
    static var fields: FieldTable<Self> { get }
}

extension FieldedObject {
    /// A field of this type.
    public typealias Field = FieldTable<Self>.Field

    /// The columns of lists: the fields that are declared as such, in their order.
    public static var columns: [String] { fields.columns }

    /// All fields that an object of the type can have.
    public static var declaredFieldNames: [String]? { fields.names }

    /// The fields that this object shows.
    public var fieldNames: [String] { Self.fields.names(of: self) }

    /// The value of a field, whether this object shows it or not; `nil` if its type has no such field.
    public func field(_ name: String) -> Value? { Self.fields.value(name, of: self) }
}

/// The fields of a type of objects.
public struct FieldTable<Object: Sendable>: Sendable {
    /// One field: its name and how it is read.
    public struct Field: Sendable {
        fileprivate let name: String
        fileprivate let isColumn: Bool
        fileprivate let isHidden: Bool
        fileprivate let isShown: (@Sendable (Object) -> Bool)?
        fileprivate let value: @Sendable (Object) -> Value

        /// A field that lists leave out.
        /// - Parameters:
        ///   - name: The name, in one word or camelCase.
        ///   - isShown: Which objects have it; all if left out.
        ///   - value: Its value; `.nothing` where it is unknown.
        public init(
            _ name: String, where isShown: (@Sendable (Object) -> Bool)? = nil,
            _ value: @escaping @Sendable (Object) -> Value
        ) {
            (self.name, isColumn, isHidden, self.isShown, self.value) = (name, false, false, isShown, value)
        }

        /// A field that is a column of lists.
        public init(
            column name: String, where isShown: (@Sendable (Object) -> Bool)? = nil,
            _ value: @escaping @Sendable (Object) -> Value
        ) {
            (self.name, isColumn, isHidden, self.isShown, self.value) = (name, true, false, isShown, value)
        }

        /// A field that can be asked for and is not among those shown, since another says the same.
        public init(hidden name: String, _ value: @escaping @Sendable (Object) -> Value) {
            (self.name, isColumn, isHidden, isShown, self.value) = (name, false, true, { _ in false }, value)
        }
    }

    /// The names of all fields that are shown, in their order.
    public let names: [String]
    /// The names of those that are columns of lists, in their order.
    public let columns: [String]
    private let fields: [Field]
    private let places: [String: Int]
    /// Whether each object shows each field.
    private let isUniform: Bool

    /// A table of the fields, in the order shown.
    /// - Precondition: No name comes twice.
    public init(@FieldTableBuilder<Object> _ fields: () -> [Field]) {
        self.fields = fields()
        names = self.fields.filter { !$0.isHidden }.map(\.name)
        columns = self.fields.filter(\.isColumn).map(\.name)
        places = Dictionary(uniqueKeysWithValues: self.fields.enumerated().map { ($1.name, $0) })
        isUniform = self.fields.allSatisfy { $0.isShown == nil }
    }

    /// The names of the fields that an object shows.
    func names(of object: Object) -> [String] {
        isUniform ? names : fields.filter { $0.isShown?(object) ?? true }.map(\.name)
    }

    /// The value of a field of an object; `nil` if there is no such field.
    func value(_ name: String, of object: Object) -> Value? {
        guard let place = places[name] else { return nil }
        return fields[place].value(object)
    }
}

/// Lists the fields of a table.
@resultBuilder
public enum FieldTableBuilder<Object: Sendable> {
    /// One field.
    public static func buildExpression(_ field: FieldTable<Object>.Field) -> [FieldTable<Object>.Field] {
        [field]
    }

    /// Fields that are made elsewhere, such as those of a table of measures.
    public static func buildExpression(_ fields: [FieldTable<Object>.Field]) -> [FieldTable<Object>.Field] {
        fields
    }

    /// The fields in the order written.
    public static func buildBlock(_ fields: [FieldTable<Object>.Field]...) -> [FieldTable<Object>.Field] {
        fields.flatMap { $0 }
    }
}
