import Formats
import PluginKit

/// Reads the text form of a message (https://protobuf.dev/reference/protobuf/textformat-spec/) as values with names; a field that
/// repeats is a list.
struct MessageTextParser {
    private let bytes: [UInt8]
    private var position = 0

    /// How deep messages may be nested.
    private static let deepest = 100

    /// The value of a text. Throws `E-TRANSIT-REALTIME` with the line of a fault.
    static func tree(_ bytes: [UInt8]) throws -> JSONTree {
        var parser = MessageTextParser(bytes)
        return try parser.fields(until: nil, depth: 0)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func fault(_ what: String) -> RutterError {
        let line = 1 + bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") }
        return TransitErrors.realtime("line \(line): \(what)")
    }

    /// Skips blanks, comments, and what may stand between fields.
    private mutating func skip(_ separators: Bool = false) {
        while let byte = peek {
            if byte == UInt8(ascii: "#") {
                while let next = peek, next != UInt8(ascii: "\n") { position += 1 }
            } else if byte <= 0x20
                || separators && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";"))
            {
                position += 1
            } else {
                return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func fields(until end: UInt8?, depth: Int) throws -> JSONTree {
        guard depth < Self.deepest else { throw fault("messages are nested too deep") }
        var names: [String] = []
        var values: [String: [JSONTree]] = [:]
        while true {
            skip(true)
            guard let byte = peek else {
                if end == nil { break }
                throw fault("the text ends within a message")
            }
            if byte == end {
                position += 1
                break
            }
            try Interruption.check()
            let name = try name()
            skip()
            let hasColon = take(UInt8(ascii: ":"))
            skip()
            if values[name] == nil { names.append(name) }
            values[name, default: []] += try value(hasColon, depth)
        }
        return .object(
            names.map { name in
                let own = values[name] ?? []
                return JSONTree.Member(name, own.count == 1 ? own[0] : .list(own))
            })
    }

    /// A name of a field; that of an extension stands in brackets.
    private mutating func name() throws -> String {
        if take(UInt8(ascii: "[")) {
            let start = position
            while let byte = peek, byte != UInt8(ascii: "]") { position += 1 }
            let name = String(decoding: bytes[start..<position], as: UTF8.self)
            guard take(UInt8(ascii: "]")) else { throw fault("the name of an extension has no end") }
            return "[\(name)]"
        }
        guard let word = word() else { throw fault("expected the name of a field") }
        return word
    }

    /// A run of letters, digits and signs of numbers.
    private mutating func word() -> String? {
        let start = position
        while let byte = peek, Self.isWord(byte) { position += 1 }
        return start < position ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The values of a field: one, or those of a list in brackets.
    private mutating func value(_ hasColon: Bool, _ depth: Int) throws -> [JSONTree] {
        if take(UInt8(ascii: "{")) { return [try fields(until: UInt8(ascii: "}"), depth: depth + 1)] }
        if take(UInt8(ascii: "<")) { return [try fields(until: UInt8(ascii: ">"), depth: depth + 1)] }
        guard hasColon || peek == UInt8(ascii: "[") else { throw fault("expected `:` or `{`") }
        if take(UInt8(ascii: "[")) {
            guard depth < Self.deepest else { throw fault("lists are nested too deep") }
            var items: [JSONTree] = []
            while true {
                skip(true)
                if take(UInt8(ascii: "]")) { return items }
                items += try value(true, depth + 1)
            }
        }
        return [try scalar()]
    }

    private mutating func scalar() throws -> JSONTree {
        guard let first = peek else { throw fault("the text ends before a value") }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            // Texts one after another are one.
            var content: [UInt8] = []
            while let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                content += try quoted(quote)
                skip()
            }
            return .text(String(decoding: content, as: UTF8.self))
        }
        guard let word = word() else { throw fault("expected a value") }
        if word == "true" || word == "false" { return .boolean(word == "true") }
        // A float may end in its letter.
        let digits = word.hasSuffix("f") && Double(word.dropLast()) != nil ? String(word.dropLast()) : word
        return Double(digits) != nil ? .number(digits) : .text(word)
    }

    private mutating func quoted(_ quote: UInt8) throws -> [UInt8] {
        position += 1
        var content: [UInt8] = []
        while let byte = peek {
            position += 1
            if byte == quote { return content }
            if byte == UInt8(ascii: "\n") { break }
            guard byte == UInt8(ascii: "\\") else {
                content.append(byte)
                continue
            }
            guard let sign = peek else { break }
            position += 1
            content += try escaped(sign)
        }
        throw fault("a text has no end")
    }

    /// The bytes of an escape; those of UTF-8 may be written as octal numbers, one for each byte, or as a character's number.
    private mutating func escaped(_ sign: UInt8) throws -> [UInt8] {
        switch sign {
        case UInt8(ascii: "a"): return [0x07]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "x"), UInt8(ascii: "X"): return [UInt8(truncatingIfNeeded: number(16, most: 2))]
        case UInt8(ascii: "u"): return try character(digits: 4)
        case UInt8(ascii: "U"): return try character(digits: 8)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            position -= 1
            return [UInt8(truncatingIfNeeded: number(8, most: 3))]
        default: return [sign]
        }
    }

    /// The UTF-8 of a character that is written by its number, or by the two numbers of UTF-16.
    private mutating func character(digits: Int) throws -> [UInt8] {
        let start = position
        var value = number(16, most: digits)
        guard position == start + digits else {
            throw fault("the number of a character has \(digits) digits")
        }
        if (0xD800..<0xDC00).contains(value), bytes[position...].starts(with: Array("\\u".utf8)) {
            position += 2
            let second = number(16, most: 4)
            guard (0xDC00..<0xE000).contains(second) else { throw fault("half of a character of UTF-16") }
            value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
        }
        guard let scalar = UInt32(exactly: value).flatMap(Unicode.Scalar.init) else {
            throw fault("no character has the number \(String(value, radix: 16, uppercase: true))")
        }
        return Array(String(Character(scalar)).utf8)
    }

    private mutating func number(_ base: Int, most: Int) -> Int {
        var value = 0
        var count = 0
        while count < most, let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
            digit < base
        {
            value = value * base + digit
            position += 1
            count += 1
        }
        return value
    }
}
