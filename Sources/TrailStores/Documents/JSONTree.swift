import Foundation

/// Any JSON with its numbers as they are written and its keys in their order, so that what is read and written again
/// is the same.
public indirect enum JSONTree: Sendable, Hashable {
    /// `null`
    case null
    /// `true` or `false`
    case boolean(Bool)
    /// A number as it is written.
    case number(String)
    /// Text.
    case text(String)
    /// An array.
    case list([JSONTree])
    /// An object.
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

    /// What is wrong with a text, and at which byte.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// What is wrong.
        public let what: String
        /// The byte, counted from 0.
        public let offset: Int
        /// Both in words.
        public var description: String { "\(what) at byte \(offset)" }
    }

    /// The value that a text holds; throws `Fault`.
    public init(parsing data: Data) throws(Fault) {
        var parser = JSONTreeParser(bytes: [UInt8](data))
        self = try parser.document()
    }

    /// The value of a key of an object.
    public subscript(key: String) -> JSONTree? {
        if case .object(let members) = self { return members.first { $0.key == key }?.value }
        return nil
    }

    /// The text held.
    public var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The number held.
    public var number: Double? {
        if case .number(let text) = self { return Double(text) }
        return nil
    }

    /// The items of an array.
    public var items: [JSONTree]? {
        if case .list(let items) = self { return items }
        return nil
    }

    /// The keys of an object.
    public var keys: [String]? {
        if case .object(let members) = self { return members.map(\.key) }
        return nil
    }

    /// The text of it on one line, or with indentation.
    public func text(pretty: Bool = false) -> String {
        var out = ""
        write(&out, pretty ? 0 : nil)
        return out
    }

    private func write(_ out: inout String, _ depth: Int?) {
        switch self {
        case .null: out += "null"
        case .boolean(let flag): out += flag ? "true" : "false"
        case .number(let text): out += text
        case .text(let text): Self.write(text, &out)
        case .list(let items): Self.write(items, "[", "]", &out, depth) { $0.write(&$1, $2) }
        case .object(let members):
            Self.write(members, "{", "}", &out, depth) { member, out, depth in
                Self.write(member.key, &out)
                out += depth == nil ? ":" : " : "
                member.value.write(&out, depth)
            }
        }
    }

    private static func write<T>(
        _ items: [T], _ opening: String, _ closing: String, _ out: inout String, _ depth: Int?,
        _ item: (T, inout String, Int?) -> Void
    ) {
        out += opening
        for (index, element) in items.enumerated() {
            if index > 0 { out += "," }
            if let depth { out += "\n" + String(repeating: "  ", count: depth + 1) }
            item(element, &out, depth.map { $0 + 1 })
        }
        if let depth, !items.isEmpty { out += "\n" + String(repeating: "  ", count: depth) }
        out += closing
    }

    package static func write(_ text: String, _ out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}
