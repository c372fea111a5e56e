/// A line of a script without the spaces that separate no words; texts, templates and regular expressions are unchanged.
struct ScriptLine {
    private let bytes: [UInt8]
    private var index = 0
    private var output: [UInt8] = []

    /// The line of code without unnecessary spaces. A text or template ends in the line in which it begins.
    static func compact(_ line: Substring) -> String {
        var scan = ScriptLine(bytes: Array(line.utf8))
        scan.output.reserveCapacity(scan.bytes.count)
        scan.code(inTemplate: false)
        return String(decoding: scan.output, as: UTF8.self)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Code up to the end of the line, or up to the brace that ends a part of a template.
    private mutating func code(inTemplate: Bool) {
        var depth = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: " "): space()
            case UInt8(ascii: "\""), UInt8(ascii: "'"): text(until: byte)
            case UInt8(ascii: "`"): template()
            case UInt8(ascii: "/") where beginsExpression: regularExpression()
            case UInt8(ascii: "}") where inTemplate && depth == 0: return
            case let letter where Self.isOfWord(letter): word()
            default:
                if byte == UInt8(ascii: "{") { depth += 1 }
                if byte == UInt8(ascii: "}") {
                    depth -= 1
                    // A block needs no semicolon at its end.
                    if output.last == UInt8(ascii: ";") { output.removeLast() }
                }
                copy()
            }
        }
    }

    private mutating func copy(_ count: Int = 1) {
        let end = min(bytes.count, index + count)
        output.append(contentsOf: bytes[index..<end])
        index = end
    }

    /// Words for which a browser takes shorter ones.
    private static let shorter: [[UInt8]: [UInt8]] = [
        Array("const".utf8): Array("let".utf8), Array("true".utf8): Array("!0".utf8),
        Array("false".utf8): Array("!1".utf8),
    ]

    /// A word; a member's name stays as it is.
    private mutating func word() {
        let end = bytes[index...].firstIndex { !Self.isOfWord($0) } ?? bytes.count
        let word = Array(bytes[index..<end])
        output.append(contentsOf: output.last == UInt8(ascii: ".") ? word : Self.shorter[word] ?? word)
        index = end
    }

    /// Spaces: one is kept between words, and where two signs would become another one.
    private mutating func space() {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
        guard let last = output.last, index < bytes.count else { return }
        let next = bytes[index]
        let joins = Self.isOfWord(last) && Self.isOfWord(next)
        let isOneSign = last == next && "+-/".utf8.contains(last)
        // What follows a regular expression would be its flags.
        if joins || isOneSign || (last == UInt8(ascii: "/") && Self.isOfWord(next)) {
            output.append(UInt8(ascii: " "))
        }
    }

    private mutating func text(until end: UInt8) {
        copy()
        while index < bytes.count {
            let byte = bytes[index]
            copy(byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == end { return }
        }
    }

    private mutating func template() {
        copy()
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "$"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "{") {
                copy(2)
                code(inTemplate: true)
                copy()
                continue
            }
            copy(byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == UInt8(ascii: "`") { return }
        }
    }

    private mutating func regularExpression() {
        var isInSet = false
        copy()
        while index < bytes.count {
            let byte = bytes[index]
            copy(byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == UInt8(ascii: "[") { isInSet = true }
            if byte == UInt8(ascii: "]") { isInSet = false }
            if byte == UInt8(ascii: "/"), !isInSet { return }
        }
    }

    /// Whether a value begins here, so that a slash divides nothing.
    private var beginsExpression: Bool {
        guard let last = output.last else { return true }
        return "(,=:[!&|?{};+-*%<>~^".utf8.contains(last) || output.suffix(6).elementsEqual("return".utf8)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}
