/// Determines whether an entry continues on the next line, lexically and in one pass.
public enum Completeness {
    /// Whether a quote or bracket is open, or the entry ends with `|` or `\`.
    public static func isIncomplete(_ entry: String) -> Bool {
        var scan = Scan(bytes: Array(entry.utf8))
        return scan.isIncomplete()
    }

    private struct Scan {
        let bytes: [UInt8]
        var index = 0
        /// What is open, the innermost last: a bracket, a double quote, or the `{` of `${x}` inside of one.
        var open: [UInt8] = []
        /// The byte before the current one; a blank where a comment ended.
        var previous = UInt8(ascii: " ")
        /// The last byte that is neither a blank nor in a comment.
        var last: UInt8 = 0

        mutating func isIncomplete() -> Bool {
            while index < bytes.count {
                let isDone = open.last == UInt8(ascii: "\"") ? insideQuote() : outsideQuote()
                if isDone { return true }
            }
            return !open.isEmpty || last == UInt8(ascii: "|")
        }

        private mutating func advance() {
            previous = bytes[index]
            if !" \t\r\n".utf8.contains(previous) { last = previous }
            index += 1
        }

        /// Advances in text between double quotes; returns `true` when the entry certainly continues.
        private mutating func insideQuote() -> Bool {
            switch bytes[index] {
            case UInt8(ascii: "\""): _ = open.popLast()
            case UInt8(ascii: "\\"):
                advance()
                if index == bytes.count { return true }
            case UInt8(ascii: "$") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{"):
                advance()
                open.append(UInt8(ascii: "{"))
            default: break
            }
            advance()
            return false
        }

        private mutating func outsideQuote() -> Bool {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "'") where !NumberScanner.isWordByte(previous):
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else { return true }
                index = end
            case UInt8(ascii: "\"") where !NumberScanner.isWordByte(previous): open.append(byte)
            case UInt8(ascii: "#") where " \t\r\n|;([{".utf8.contains(previous):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                previous = UInt8(ascii: " ")
                return false
            case UInt8(ascii: "$")
            where NumberScanner.isWordByte(previous) && bytes[index...].starts(with: "${".utf8):
                // In a bare word both characters are part of the word.
                advance()
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
            case UInt8(ascii: ")"), UInt8(ascii: "]"): close("([")
            case UInt8(ascii: "}"): close("{")
            case UInt8(ascii: "\\") where index == bytes.count - 1: return true
            case UInt8(ascii: "\\") where isBeforeLineEnd:
                index += 1
                return false
            default: break
            }
            advance()
            return false
        }

        private var isBeforeLineEnd: Bool {
            let rest = bytes[(index + 1)...].prefix(2)
            return rest.first == UInt8(ascii: "\n") || rest.elementsEqual("\r\n".utf8)
        }

        private mutating func close(_ kinds: String) {
            if let innermost = open.last, kinds.utf8.contains(innermost) { _ = open.popLast() }
        }
    }
}
