import PluginKit

/// Reads JSON strictly by RFC 8259.
///
/// Written by hand because Foundation's reader loses the order of an object's members, which is the order of the
/// columns, and does not tell whole numbers from others. Of members with the same name the last one stays. Whole
/// numbers that do not fit into 64 bits become floating-point numbers.
struct JSONReader {
    private let bytes: [UInt8]
    private let origin: TextOrigin
    private var position = 0
    private var depth = 0
    /// The names of the last object, shared by the objects after it that have the same.
    private var lastKeys: [String] = []
    /// Objects with more members than this find their names by hash.
    private static let fewMembers = 12

    /// The value of a text.
    static func value(of bytes: [UInt8], origin: TextOrigin) throws -> Value {
        if let invalid = UTF8Check.firstInvalid(bytes) {
            throw origin.error(DataErrors.encoding, "this is not UTF-8", at: invalid, in: bytes)
        }
        var reader = JSONReader(bytes: bytes, origin: origin)
        return try reader.document()
    }

    private init(bytes: [UInt8], origin: TextOrigin) {
        self.bytes = bytes
        self.origin = origin
    }

    private mutating func document() throws -> Value {
        if bytes.starts(with: UTF8Check.byteOrderMark) { position = 3 }
        skipBlanks()
        let value = try value()
        skipBlanks()
        if position < bytes.count { throw wrong("nothing may follow the value") }
        return value
    }

    // MARK: Values

    private mutating func value() throws -> Value {
        switch peek {
        case UInt8(ascii: "{"): return try nested { try $0.object() }
        case UInt8(ascii: "["): return try nested { try $0.array() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .nothing)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw wrong(position < bytes.count ? "no value begins like this" : "the text ends too early")
        }
    }

    private mutating func nested(_ body: (inout JSONReader) throws -> Value) throws -> Value {
        depth += 1
        defer { depth -= 1 }
        if depth > JSONNode.deepest {
            throw origin.error(
                DataErrors.depth, "values are nested more than \(JSONNode.deepest) deep", at: position,
                in: bytes)
        }
        position += 1
        skipBlanks()
        return try body(&self)
    }

    private mutating func array() throws -> Value {
        var items: [Value] = []
        if skip("]") { return .list([]) }
        while true {
            items.append(try value())
            if items.count & 0xfff == 0 { try Interruption.check() }
            skipBlanks()
            if skip("]") { return items.asTableIfAlike }
            guard skip(",") else { throw wrong("`,` or `]` must stand here") }
            skipBlanks()
        }
    }

    private mutating func object() throws -> Value {
        var keys: [String] = []
        var values: [Value] = []
        var places: [String: Int] = [:]
        if skip("}") { return .record(Record()) }
        while true {
            guard peek == UInt8(ascii: "\"") else { throw wrong("a name in double quotes must stand here") }
            let name = try string()
            skipBlanks()
            guard skip(":") else { throw wrong("`:` must stand here") }
            skipBlanks()
            let value = try value()
            if let place = keys.count > Self.fewMembers ? places[name] : keys.firstIndex(of: name) {
                values[place] = value
            } else {
                keys.append(name)
                values.append(value)
                if keys.count == Self.fewMembers + 1 {
                    for (place, key) in keys.enumerated() { places[key] = place }
                } else if keys.count > Self.fewMembers {
                    places[name] = keys.count - 1
                }
            }
            skipBlanks()
            if skip("}") { break }
            guard skip(",") else { throw wrong("`,` or `}` must stand here") }
            skipBlanks()
        }
        if keys == lastKeys { keys = lastKeys } else { lastKeys = keys }
        return .record(Record(keys: keys, values: values))
    }

    private mutating func word(_ word: String, _ value: Value) throws -> Value {
        guard bytes[position...].starts(with: word.utf8) else { throw wrong("no value begins like this") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws -> Value {
        let start = position
        guard let end = JSONNumber.end(bytes[start...]) else { throw wrong("this is not a number") }
        position = end.index
        let text = String(decoding: bytes[start..<end.index], as: UTF8.self)
        if end.isWhole, let whole = Int(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else {
            position = start
            throw wrong("the number is too large")
        }
        return .number(number)
    }

    // MARK: Strings

    private mutating func string() throws -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != 0x5C {
            if bytes[position] < 32 { throw wrong("a control character must be escaped") }
            position += 1
        }
        var text = String(decoding: bytes[start..<position], as: UTF8.self)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position += 1
                return text
            case 0x5C: text.unicodeScalars.append(try escape())
            case 0..<32: throw wrong("a control character must be escaped")
            default:
                let start = position
                while position < bytes.count, bytes[position] >= 32, bytes[position] != UInt8(ascii: "\""),
                    bytes[position] != 0x5C
                {
                    position += 1
                }
                text += String(decoding: bytes[start..<position], as: UTF8.self)
            }
        }
        throw wrong("the string is not closed")
    }

    private static let escapes: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/",
        UInt8(ascii: "b"): "\u{8}",
        UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    private mutating func escape() throws -> Unicode.Scalar {
        position += 1
        if let plain = Self.escapes[peek] {
            position += 1
            return plain
        }
        guard skip("u") else { throw wrong("this escape is not known") }
        let unit = try hexadecimal()
        guard (0xD800...0xDFFF).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        // Two surrogates make one character.
        guard unit < 0xDC00, skip("\\"), skip("u") else { throw wrong("half of a character") }
        let low = try hexadecimal()
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + UInt32(low) - 0xDC00)
        else { throw wrong("half of a character") }
        return scalar
    }

    private mutating func hexadecimal() throws -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw wrong("four hexadecimal digits must stand here") }
        position += 4
        return unit
    }

    // MARK: Bytes

    private var peek: UInt8 { position < bytes.count ? bytes[position] : 0 }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 13 || byte == 9 }

    private func wrong(_ message: String) -> RutterError {
        origin.error(DataErrors.json, message, at: position, in: bytes)
    }
}

/// Numbers as JSON writes them; CSV cells are read by the same rule.
enum JSONNumber {
    /// The end of the number at the beginning of bytes, and whether it is whole; `nil` when there is none.
    static func end(_ bytes: ArraySlice<UInt8>) -> (index: Int, isWhole: Bool)? {
        var index = bytes.startIndex
        func at(_ index: Int) -> UInt8 { index < bytes.endIndex ? bytes[index] : 0 }
        func digits() -> Bool {
            let start = index
            while (48...57).contains(at(index)) { index += 1 }
            return index > start
        }
        if at(index) == UInt8(ascii: "-") { index += 1 }
        let leadingZero = at(index) == UInt8(ascii: "0")
        if leadingZero { index += 1 } else if !digits() { return nil }
        var isWhole = true
        if at(index) == UInt8(ascii: ".") {
            index += 1
            isWhole = false
            guard digits() else { return nil }
        }
        if at(index) | 32 == UInt8(ascii: "e") {
            index += 1
            isWhole = false
            if at(index) == UInt8(ascii: "+") || at(index) == UInt8(ascii: "-") { index += 1 }
            guard digits() else { return nil }
        }
        return (index, isWhole)
    }

    /// The number that a whole text is; `nil` for other text, for leading zeros, and for whole numbers that are too
    /// long to be anything but a name.
    static func value(_ text: String) -> Value? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first) else {
            return nil
        }
        let bytes = Array(text.utf8)
        guard let end = end(bytes[...]), end.index == bytes.count else { return nil }
        if end.isWhole { return Int(text).map { .integer($0) } }
        return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    }
}

extension [Value] {
    /// A table when all items are records with the same fields, otherwise the list.
    var asTableIfAlike: Value {
        guard let first = first?.fieldNames, !first.isEmpty else { return .list(self) }
        let names = Set(first)
        let isAlike = allSatisfy { item in
            guard let keys = item.fieldNames else { return false }
            return keys == first || (keys.count == first.count && Set(keys) == names)
        }
        return isAlike ? .table(columns: first, rows: self) : .list(self)
    }
}
