/// Named fields in a fixed order.
///
/// Rows of one table share the storage of their keys.
public struct Record: Sendable {
    /// The names of the fields, in order and without repetition.
    public private(set) var keys: [String]
    /// The values, one for each key.
    public private(set) var values: [Value]

    /// A record of keys and values of the same count; missing values are `.nothing`, extra ones are dropped.
    public init(keys: [String], values: [Value]) {
        self.keys = keys
        self.values = Array(values.prefix(keys.count))
        while self.values.count < keys.count { self.values.append(.nothing) }
    }

    /// A record of pairs in order; a name that comes twice keeps its last value.
    public init(_ fields: [(String, Value)] = []) {
        keys = []
        values = []
        for (key, value) in fields { self[key] = value }
    }

    /// A field by name. Setting a new name appends it, setting `nil` removes the field.
    public subscript(key: String) -> Value? {
        get { keys.firstIndex(of: key).map { values[$0] } }
        set {
            switch (keys.firstIndex(of: key), newValue) {
            case (let index?, let value?): values[index] = value
            case (let index?, nil):
                keys.remove(at: index)
                values.remove(at: index)
            case (nil, let value?):
                keys.append(key)
                values.append(value)
            case (nil, nil): break
            }
        }
    }
}

/// Rows with named columns. Each row is a record or a domain object that has these fields.
public struct Table: Sendable {
    /// The columns shown, in order.
    public var columns: [String]
    /// The rows: records or objects.
    public var rows: [Value]
    /// A line about the whole, shown below the rows; it is lost when the rows go through a pipe.
    public var note: String?

    /// A table of rows that each have the columns.
    public init(columns: [String], rows: [Value], note: String? = nil) {
        self.columns = columns
        self.rows = rows
        self.note = note
    }

    /// A table of domain objects, with the columns that the first of them shows.
    public init(objects: [any DomainObject], columns: [String]) {
        self.init(columns: columns, rows: objects.map { .object($0) })
    }

    /// A table from cells, row by row.
    public init(columns: [String], cells: [[Value]]) {
        self.init(columns: columns, rows: cells.map { .record(Record(keys: columns, values: $0)) })
    }
}
