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
        self.values = values.count > keys.count ? Array(values.prefix(keys.count)) : values
        while self.values.count < keys.count { self.values.append(.nothing) }
    }

    /// A record of pairs in order; a repeated name keeps its last value.
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
