/// Reads JSON (RFC 8259) strictly. Depth is limited, so that no text overflows the stack.
struct JSONTreeParser {
    private static let deepest = 200

    let bytes: [UInt8]
    private var index = 0
    private var depth = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() throws(JSONTree.Fault) -> JSONTree {
        // A byte order mark is not allowed, but common.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = try value()
        skipBlanks()
        if index < bytes.count { throw fault("something follows the value") }
        return value
    }

    private func fault(_ what: String) -> JSONTree.Fault { JSONTree.Fault(what: what, offset: index) }

    private mutating func skipBlanks() {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func value() throws(JSONTree.Fault) -> JSONTree {
        skipBlanks()
        switch next {
        case UInt8(ascii: "{"): return try nested { (parser) throws(JSONTree.Fault) in try parser.object() }
        case UInt8(ascii: "["): return try nested { (parser) throws(JSONTree.Fault) in try parser.list() }
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw fault("the text ends early")
        case let byte?
        where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
            return .number(try number())
        default: throw fault("no JSON value")
        }
    }

    private mutating func nested(
        _ body: (inout JSONTreeParser) throws(JSONTree.Fault) -> JSONTree
    ) throws(JSONTree.Fault) -> JSONTree {
        depth += 1
        guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) values within each other") }
        defer { depth -= 1 }
        return try body(&self)
    }

    private mutating func word(_ word: String, _ value: JSONTree) throws(JSONTree.Fault) -> JSONTree {
        guard bytes[index...].starts(with: word.utf8) else { throw fault("no JSON value") }
        index += word.utf8.count
        return value
    }

    private mutating func list() throws(JSONTree.Fault) -> JSONTree {
        index += 1
        var items: [JSONTree] = []
        skipBlanks()
        if take("]") { return .list([]) }
        while true {
            items.append(try value())
            skipBlanks()
            if take("]") { return .list(items) }
            guard take(",") else { throw fault("neither `,` nor `]`") }
        }
    }

    private mutating func object() throws(JSONTree.Fault) -> JSONTree {
        index += 1
        var members: [JSONTree.Member] = []
        skipBlanks()
        if take("}") { return .object([]) }
        while true {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw fault("no key") }
            let key = try string()
            skipBlanks()
            guard take(":") else { throw fault("no `:` after a key") }
            members.append(JSONTree.Member(key, try value()))
            skipBlanks()
            if take("}") { return .object(members) }
            guard take(",") else { throw fault("neither `,` nor `}`") }
        }
    }

    private mutating func take(_ character: Character) -> Bool {
        guard let next, character.asciiValue == next else { return false }
        index += 1
        return true
    }

    private mutating func number() throws(JSONTree.Fault) -> String {
        let start = index
        _ = take("-")
        let first = index
        let whole = digits()
        if whole == 0 || (whole > 1 && bytes[first] == UInt8(ascii: "0")) { throw fault("no JSON number") }
        if take("."), digits() == 0 { throw fault("no digit after the point") }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            if digits() == 0 { throw fault("no digit in the exponent") }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() -> Int {
        let start = index
        while let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { index += 1 }
        return index - start
    }

    private mutating func string() throws(JSONTree.Fault) -> String {
        index += 1
        var out: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"):
                index += 1
                try escape(&out)
            case ..<0x20: throw fault("a control character in a text")
            default:
                out.append(byte)
                index += 1
            }
        }
        throw fault("a text does not end")
    }

    private mutating func escape(_ out: inout [UInt8]) throws(JSONTree.Fault) {
        let letters: [Character: UInt8] = [
            "\"": 0x22, "\\": 0x5C, "/": 0x2F, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9,
        ]
        guard let byte = next else { throw fault("a text does not end") }
        if let plain = letters[Character(UnicodeScalar(byte))] {
            out.append(plain)
            index += 1
            return
        }
        guard byte == UInt8(ascii: "u") else { throw fault("an unknown escape") }
        index += 1
        var code = try hexadecimal()
        if (0xD800..<0xDC00).contains(code), bytes[index...].starts(with: [0x5C, 0x75]) {
            let back = index
            index += 2
            let low = try hexadecimal()
            if (0xDC00..<0xE000).contains(low) {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            } else {
                index = back
            }
        }
        out += Array(String(UnicodeScalar(code) ?? "\u{FFFD}").utf8)
    }

    private mutating func hexadecimal() throws(JSONTree.Fault) -> UInt32 {
        guard index + 4 <= bytes.count,
            let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw fault("no four hexadecimal digits") }
        index += 4
        return code
    }
}
