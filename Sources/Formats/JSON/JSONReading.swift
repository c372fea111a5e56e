import CivilTime
import Foundation
import Geodesy

extension JSONTree {
    /// Parses a text; throws `JSONFault` with line, column and path.
    public init(parsing bytes: some ContiguousBytes) throws(JSONFault) {
        self = try Self.withBytes(of: bytes) { JSONParser($0) }
    }

    /// Parses a text; throws `JSONFault`, or the error of `check`, which is called every few thousand values. `repairs` gets what
    /// has no certain meaning and was read all the same; without it, half a character is a fault. With it and `keepsDamaged`, what
    /// stands before a fault is read. With `isSequence`, values that follow each other are a list.
    public static func parse(
        _ bytes: some ContiguousBytes, check: () throws -> Void, keepsDamaged: Bool = true,
        isSequence: Bool = false, repairs: ((JSONRepairs) -> Void)? = nil
    ) throws -> JSONTree {
        try withoutActuallyEscaping(check) { check in
            var stop: (any Error)?
            let tree = Result { () throws(JSONFault) in
                try withBytes(
                    of: bytes,
                    {
                        JSONParser(
                            $0, isSalvaging: repairs != nil, keepsDamaged: keepsDamaged && repairs != nil,
                            isSequence: isSequence, check: check)
                    },
                    stop: { stop = $0 }, repairs ?? { _ in })
            }
            if let stop { throw stop }
            return try tree.get()
        }
    }

    private static func withBytes(
        of bytes: some ContiguousBytes, _ parser: (UnsafeBufferPointer<UInt8>) -> JSONParser,
        stop: (any Error) -> Void = { _ in }, _ repairs: (JSONRepairs) -> Void = { _ in }
    ) throws(JSONFault) -> JSONTree {
        let result = bytes.withUnsafeBytes { raw in
            var parser = parser(raw.assumingMemoryBound(to: UInt8.self))
            let result = Result { () throws(JSONFault) in try parser.document() }
            if let error = parser.stop { stop(error) }
            repairs(parser.repairs)
            return result
        }
        return try result.get()
    }

    /// Parses a text and decodes it with `body`, whose faults get the line and column of their value.
    public static func read<T>(
        _ bytes: some ContiguousBytes, check: () throws -> Void = {}, keepsDamaged: Bool = true,
        isSequence: Bool = false, repairs: ((JSONRepairs) -> Void)? = nil, _ body: (JSONTree) throws -> T
    ) throws -> T {
        var damage: JSONFault?
        let tree = try parse(
            bytes, check: check, keepsDamaged: keepsDamaged, isSequence: isSequence,
            repairs: repairs.map { tell in
                {
                    damage = $0.fault
                    tell($0)
                }
            })
        do {
            return try body(tree)
        } catch let fault as JSONFault {
            // What is missing in the part that was read may stand behind the fault.
            if let damage { throw damage }
            throw bytes.withUnsafeBytes { fault.located(in: $0.assumingMemoryBound(to: UInt8.self)) }
        }
    }
}

/// A type that can be decoded from a JSON value.
public protocol JSONReadable {
    /// Decodes a value; throws a fault of content whose path is relative to the value.
    init(json tree: JSONTree) throws(JSONFault)
}

extension JSONTree {
    /// The fault of a value of another kind.
    public func mismatch(_ expected: String) -> JSONFault {
        JSONFault("expected \(expected), not \(kindName)")
    }

    /// Decodes the value of a key; throws if it is missing.
    public func read<T: JSONReadable>(_ key: String, as type: T.Type = T.self) throws(JSONFault) -> T {
        guard case .object = self else { throw mismatch("an object") }
        guard let value = self[key] else { throw JSONFault("missing key `\(key)`") }
        do throws(JSONFault) {
            return try T(json: value)
        } catch {
            throw error.inside(.key(key))
        }
    }

    /// Decodes the value of a key; `nil` if it is missing or null.
    public func readIfPresent<T: JSONReadable>(
        _ key: String, as type: T.Type = T.self
    ) throws(JSONFault) -> T? {
        switch self[key] {
        case nil, .null?: nil
        default: try read(key)
        }
    }

    /// Decodes the items of the array under a key with `body`.
    public func list<T>(
        _ key: String, _ body: (JSONTree) throws(JSONFault) -> T
    ) throws(JSONFault) -> [T] {
        let list: JSONTree = try read(key)
        do throws(JSONFault) {
            return try list.map(body)
        } catch {
            throw error.inside(.key(key))
        }
    }

    /// Decodes the items of an array with `body`.
    public func map<T>(_ body: (JSONTree) throws(JSONFault) -> T) throws(JSONFault) -> [T] {
        guard case .list(let items) = self else { throw mismatch("an array") }
        var all: [T] = []
        all.reserveCapacity(items.count)
        for item in items {
            do throws(JSONFault) {
                all.append(try body(item))
            } catch {
                throw error.inside(.index(all.count))
            }
        }
        return all
    }
}

extension JSONTree: JSONReadable {
    /// The value itself.
    public init(json tree: JSONTree) { self = tree }
}

extension String: JSONReadable {
    /// A string.
    public init(json tree: JSONTree) throws(JSONFault) {
        guard case .text(let text) = tree else { throw tree.mismatch("a string") }
        self = text
    }
}

extension Double: JSONReadable {
    /// A number.
    public init(json tree: JSONTree) throws(JSONFault) {
        guard let number = tree.number else { throw tree.mismatch("a number") }
        self = number
    }
}

extension Int: JSONReadable {
    /// An integer, such as `3` or `3.0`.
    public init(json tree: JSONTree) throws(JSONFault) {
        guard case .number(let text) = tree else { throw tree.mismatch("a number") }
        guard let number = Int(text) ?? Double(text).flatMap(Int.init(exactly:)) else {
            throw JSONFault("expected an integer, not \(text.prefix(40))")
        }
        self = number
    }
}

extension Bool: JSONReadable {
    /// `true` or `false`.
    public init(json tree: JSONTree) throws(JSONFault) {
        guard case .boolean(let flag) = tree else { throw tree.mismatch("true or false") }
        self = flag
    }
}

extension JSONReadable where Self: RawRepresentable<String> {
    /// A raw value of an enumeration.
    public init(json tree: JSONTree) throws(JSONFault) {
        let text = try String(json: tree)
        guard let known = Self(rawValue: text) else {
            throw JSONFault("`\(text.prefix(40))` is not a known value")
        }
        self = known
    }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// An array.
    public init(json tree: JSONTree) throws(JSONFault) {
        self = try tree.map { (item) throws(JSONFault) in try Element(json: item) }
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// An object.
    public init(json tree: JSONTree) throws(JSONFault) {
        guard case .object(let members) = tree else { throw tree.mismatch("an object") }
        self = [:]
        for member in members { self[member.key] = try tree.read(member.key) }
    }
}

extension UUID: JSONReadable {
    /// A UUID in its standard form.
    public init(json tree: JSONTree) throws(JSONFault) {
        let text = try String(json: tree)
        guard let id = UUID(uuidString: text) else { throw JSONFault("`\(text.prefix(40))` is not a UUID") }
        self = id
    }
}

extension Timestamp: JSONReadable {
    /// A date and time as ISO 8601 text.
    public init(json tree: JSONTree) throws(JSONFault) {
        let text = try String(json: tree)
        guard let time = ISO8601.timestamp(text) else {
            throw JSONFault("`\(text.prefix(40))` is not a date and time")
        }
        self = time
    }
}

extension Coordinate: JSONReadable {
    /// An object with `latitude` and `longitude`, as the apps write it; both may be out of range.
    public init(json tree: JSONTree) throws(JSONFault) {
        self.init(latitude: try tree.read("latitude"), longitude: try tree.read("longitude"))
    }
}

extension JSONTree {
    /// A coordinate in the apps' format, without an altitude.
    public init(_ coordinate: Coordinate) {
        self.init(members: [
            "latitude": JSONTree(coordinate.latitude), "longitude": JSONTree(coordinate.longitude),
        ])
    }
}
