/// A domain object that is also rows: data commands use its rows, and it is shown as their table. Its other
/// data are fields.
public protocol TabularObject: DomainObject {
    /// The rows.
    var table: Rows { get }
}

extension Value {
    /// The rows of a list, of rows, or of an object that is rows; `nil` for other kinds.
    public var asRows: Rows? {
        switch self {
        case .list(let items): Rows(items, columns: items.commonColumns)
        case .rows(let rows): rows
        case .object(let object): (object as? any TabularObject)?.table
        default: nil
        }
    }

    /// The rows of an object that is rows; other values unchanged.
    public var tabulated: Value {
        if case .object = self, let rows = asRows { return .rows(rows) }
        return self
    }

    /// Whether its rows are lazy.
    public var isLazy: Bool {
        if case .rows(let rows) = self { return rows.isLazy }
        return false
    }

    /// The items of a list or of rows in memory; `nil` for other kinds and for lazy rows.
    public var readyItems: [Value]? {
        switch self {
        case .list(let items): items
        case .rows(let rows): rows.ready
        default: nil
        }
    }

    /// The rows of a list or of rows; other values as a single row.
    public func items() throws -> [Value] {
        switch self {
        case .list(let items): items
        case .rows(let rows): try rows.collect()
        default: [self]
        }
    }

    /// The only item of a list or of rows in memory; other values unchanged.
    public var onlyItem: Value {
        if let items = readyItems, items.count == 1 { return items[0].onlyItem }
        return self
    }

    /// The object held, if it is of this type.
    public func object<T>(as type: T.Type) -> T? {
        if case .object(let object) = self { return object as? T }
        return nil
    }

    /// The object held. Throws `E-INPUT-KIND` for others, with the message that `command` takes `wanted`, such as `a walk`.
    public func object<T>(
        of type: T.Type, _ wanted: String, for command: String, fix: String? = nil
    ) throws(RutterError) -> T {
        if let object = object(as: type) { return object }
        throw refused(wanted, command, fix)
    }

    /// The rows. Throws `E-INPUT-KIND` for others, with the message that `command` takes `wanted`, such as `rows of ways`.
    public func rows(_ wanted: String, for command: String, fix: String? = nil) throws(RutterError) -> Rows {
        if let rows = asRows { return rows }
        throw refused(wanted, command, fix)
    }

    /// The objects of rows, or a single object. Throws `E-INPUT-KIND` for others.
    public func objects<T>(
        of type: T.Type, _ wanted: String, for command: String, fix: String? = nil
    ) throws -> [T] {
        try items().map { try $0.object(of: type, wanted, for: command, fix: fix) }
    }

    private func refused(_ wanted: String, _ command: String, _ fix: String?) -> RutterError {
        CommonErrors.inputKind("`\(command)` takes \(wanted), not \(article)", fix: fix)
    }

    /// The kind with its article, for messages: `a length`, `an angle`, `nothing`.
    public var article: String {
        let name = kindName
        if name == "nothing" { return name }
        return ("aeiou".contains(name.prefix(1)) ? "an " : "a ") + name
    }
}

extension [Value] {
    /// The columns of a table of these: the union of the fields of records; for objects, the fields of the
    /// first one, if all have the same. `nil` if an item has no fields.
    public var commonColumns: [String]? {
        guard let first = first?.fieldNames else { return nil }
        if allSatisfy({ if case .record = $0 { true } else { false } }) { return fieldNames(after: []) }
        guard allSatisfy({ $0.fieldNames == first }) else { return nil }
        return first
    }

    /// The names of all fields that some item has, in order of first appearance, after those given; `nil` if
    /// an item has no fields.
    public func fieldNames(after given: [String]) -> [String]? {
        var names = given
        var known = Set(given)
        var last: [String]?
        for item in self {
            guard let fields = item.fieldNames else { return nil }
            // Rows of one table share their keys: comparing them is a comparison of addresses.
            if let last, last == fields { continue }
            for name in fields where known.insert(name).inserted { names.append(name) }
            last = fields
        }
        return names
    }
}
