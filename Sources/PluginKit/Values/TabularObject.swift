/// A domain object that is also rows: data commands take its rows, and it is shown as their table. What else it knows
/// is in its fields.
public protocol TabularObject: DomainObject {
    /// The rows.
    var table: Table { get }
}

extension Value {
    /// The rows of an object that is rows, as a table; every other value as it is.
    public var tabulated: Value {
        if case .object(let object) = self, let rows = object as? any TabularObject {
            return .table(rows.table)
        }
        return self
    }
}
