/// A JSON value that keeps the notation of numbers and the order of members, so that it is written as it was
/// read.
public enum JSONTree: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number as written.
    case number(String)
    /// A string.
    case text(String)
    /// An array.
    case list([JSONTree])
    /// An object; no two members have the same key.
    case object([Member])

    /// A key of an object with its value.
    public struct Member: Sendable, Hashable {
        /// The key.
        public var key: String
        /// Its value.
        public var value: JSONTree

        /// A key with a value.
        public init(_ key: String, _ value: JSONTree) {
            self.key = key
            self.value = value
        }
    }
}

extension JSONTree {
    /// Integers below this are written without an exponent: 64-bit floating point holds them exactly.
    private static let largestPlain = 1e15

    /// A number in its shortest form that parses to the same value; null if it is not finite.
    public init(_ number: Double) {
        guard number.isFinite else {
            self = .null
            return
        }
        let isPlain = number == number.rounded() && abs(number) < Self.largestPlain
        let text = isPlain ? String(Int(number)) : number.description
        self = .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    /// An integer.
    public init(_ number: Int) { self = .number(String(number)) }

    /// An object of members, without those whose value is `nil`.
    public init(members: KeyValuePairs<String, JSONTree?>) {
        self = .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }

    /// The value of a key of an object; setting `nil` removes the member. Setting has no effect on a value that is
    /// not an object.
    public subscript(key: String) -> JSONTree? {
        get {
            if case .object(let members) = self { return members.first { $0.key == key }?.value }
            return nil
        }
        set {
            guard case .object(var members) = self else { return }
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key, value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    /// The string.
    public var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The number.
    public var number: Double? {
        if case .number(let text) = self { return Double(text) }
        return nil
    }

    /// The boolean.
    public var flag: Bool? {
        if case .boolean(let flag) = self { return flag }
        return nil
    }

    /// The items of an array.
    public var items: [JSONTree]? {
        if case .list(let items) = self { return items }
        return nil
    }

    /// The members of an object.
    public var members: [Member]? {
        if case .object(let members) = self { return members }
        return nil
    }

    /// The keys of an object.
    public var keys: [String]? { members?.map(\.key) }

    /// The value with the members of all objects sorted by the scalars of their keys.
    public var sorted: JSONTree {
        switch self {
        case .list(let items): .list(items.map(\.sorted))
        case .object(let members):
            .object(members.map { Member($0.key, $0.value.sorted) }.sorted { $0.key < $1.key })
        default: self
        }
    }

    /// The kind of value, for messages.
    public var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .text: "a string"
        case .list: "an array"
        case .object: "an object"
        }
    }

    /// The value as text on one line without spaces.
    public var compactText: String { JSONWriter(.compact).text(self) }
}
