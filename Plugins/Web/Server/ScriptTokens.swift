/// A part of a script that is never divided.
struct ScriptToken: Hashable, Sendable {
    enum Kind: Sendable {
        case word, sign
        /// A string or regular expression.
        case text
        /// A piece of a template, up to `${`, or from `}` on.
        case template
        case lineEnd
    }

    let kind: Kind
    var text: String
    /// Whether a space separates it from what precedes it.
    var isApart = false

    static let lineEnd = ScriptToken(kind: .lineEnd, text: "\n")
}

/// Reads a line of a script. A text or template ends in the line in which it begins.
struct ScriptTokens {
    private let bytes: [UInt8]
    private var index = 0
    private var isApart = false
    private var tokens: [ScriptToken] = []

    static func of(_ line: Substring) -> [ScriptToken] {
        var scan = ScriptTokens(bytes: Array(line.utf8))
        scan.code(inTemplate: false)
        return scan.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private static let signs = ["...", "=>", "?."].map { Array($0.utf8) }

    /// Code up to the end of the line, or up to the brace that ends a part of a template.
    private mutating func code(inTemplate: Bool) {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "):
                isApart = true
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): add(.text, upTo: end(of: byte))
            case UInt8(ascii: "`"): template()
            case UInt8(ascii: "/") where beginsExpression: add(.text, upTo: endOfExpression)
            case UInt8(ascii: "}") where inTemplate && depth == 0: return
            case let letter where Self.isOfWord(letter):
                add(.word, upTo: bytes[index...].firstIndex { !Self.isOfWord($0) } ?? bytes.count)
            default:
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") { depth -= 1 }
                let sign = Self.signs.first { bytes[index...].starts(with: $0) }
                add(.sign, upTo: index + (sign?.count ?? 1))
            }
        }
    }

    private mutating func add(_ kind: ScriptToken.Kind, upTo end: Int) {
        let end = min(end, bytes.count)
        tokens.append(
            ScriptToken(
                kind: kind, text: String(decoding: bytes[index..<end], as: UTF8.self), isApart: isApart))
        isApart = false
        index = end
    }

    /// Where the string that begins here ends.
    private func end(of quote: UInt8) -> Int {
        var at = index + 1
        while at < bytes.count, bytes[at] != quote { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
        return at + 1
    }

    /// Where the regular expression that begins here ends, with its flags.
    private var endOfExpression: Int {
        var at = index + 1
        var isInSet = false
        while at < bytes.count, isInSet || bytes[at] != UInt8(ascii: "/") {
            if bytes[at] == UInt8(ascii: "[") { isInSet = true }
            if bytes[at] == UInt8(ascii: "]") { isInSet = false }
            at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        at += 1
        while at < bytes.count, Self.isOfWord(bytes[at]) { at += 1 }
        return at
    }

    private mutating func template() {
        var at = index + 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "`") {
            if bytes[at] == UInt8(ascii: "$"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "{") {
                add(.template, upTo: at + 2)
                code(inTemplate: true)
                isApart = false
                at = index
            }
            at += at < bytes.count && bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        add(.template, upTo: at + 1)
    }

    /// Whether a value begins here, so that a slash divides nothing.
    private var beginsExpression: Bool {
        guard let last = tokens.last else { return true }
        guard last.kind != .text else { return false }
        return last.text == "return" || "(,=:[!&|?{};+-*%<>~^".contains(last.text.last ?? "(")
    }

    static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
