import Foundation

/// Finds keys that an object of a JSON text has twice. Readers keep either the first or the last value, and none tells.
package struct RepeatedKeys {
    /// A repeated key.
    package struct Found: Equatable {
        package let key: String
        /// The item of the outermost array that it is in, counted from 1; `nil` outside one.
        package let position: Int?
    }

    private let bytes: [UInt8]
    private var index = 0
    private var found: [Found] = []
    private var position: Int?

    /// The repeated keys of a text that is valid JSON; of any other text those up to its fault.
    package static func find(_ data: Data) -> [Found] {
        var reader = RepeatedKeys(bytes: [UInt8](data))
        _ = reader.value(depth: 0)
        return reader.found
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let deepest = 512

    private mutating func skip() {
        while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains(bytes[index]) {
            index += 1
        }
    }

    /// Whether the next character is this one, which is then passed.
    private mutating func passes(_ character: Character) -> Bool {
        skip()
        guard index < bytes.count, bytes[index] == character.asciiValue else { return false }
        index += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        skip()
        guard index < bytes.count else { return false }
        switch bytes[index] {
        case UInt8(ascii: "{"): return object(depth)
        case UInt8(ascii: "["): return array(depth)
        case UInt8(ascii: "\""): return string() != nil
        default:
            let start = index
            while index < bytes.count, !",]} \t\r\n".utf8.contains(bytes[index]) { index += 1 }
            return index > start
        }
    }

    private mutating func object(_ depth: Int) -> Bool {
        index += 1
        var keys: Set<String> = []
        if passes("}") { return true }
        while true {
            skip()
            guard let key = string(), passes(":") else { return false }
            if !keys.insert(key).inserted { found.append(Found(key: key, position: position)) }
            guard value(depth: depth + 1) else { return false }
            if passes("}") { return true }
            guard passes(",") else { return false }
        }
    }

    private mutating func array(_ depth: Int) -> Bool {
        index += 1
        if passes("]") { return true }
        var count = 0
        while true {
            count += 1
            if depth == 0 { position = count }
            guard value(depth: depth + 1) else { return false }
            if passes("]") { return true }
            guard passes(",") else { return false }
        }
    }

    /// A text in quotes, decoded: the same key can be written in several ways.
    private mutating func string() -> String? {
        let start = index
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < bytes.count else { return nil }
        index += 1
        let raw = Data(bytes[start..<index])
        guard raw.contains(UInt8(ascii: "\\")) else {
            return String(decoding: raw.dropFirst().dropLast(), as: UTF8.self)
        }
        let text = try? JSONSerialization.jsonObject(with: raw, options: .fragmentsAllowed) as? String
        return text ?? String(decoding: raw, as: UTF8.self)
    }
}
