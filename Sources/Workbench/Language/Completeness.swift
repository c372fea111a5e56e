/// Tells whether an entry goes on in the next line, from its signs alone.
public enum Completeness {
    /// Whether a quote or bracket is open, or the entry ends with `|` or `\`.
    public static func isIncomplete(_ entry: String) -> Bool {
        var open: [UInt8] = []
        var last: UInt8 = 0
        var previous: UInt8 = UInt8(ascii: " ")
        let bytes = Array(entry.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "'") where !NumberScanner.isWordByte(previous):
                guard let end = bytes[(index + 1)...].firstIndex(of: byte) else { return true }
                index = end
            case UInt8(ascii: "\"") where !NumberScanner.isWordByte(previous):
                guard let end = doubleQuoteEnd(bytes, from: index + 1) else { return true }
                index = end
            case UInt8(ascii: "#") where " \t\n|;([".utf8.contains(previous):
                while index + 1 < bytes.count, bytes[index + 1] != UInt8(ascii: "\n") { index += 1 }
                previous = UInt8(ascii: " ")
                index += 1
                continue
            case UInt8(ascii: "("), UInt8(ascii: "["): open.append(byte)
            case UInt8(ascii: ")"), UInt8(ascii: "]"): _ = open.popLast()
            default: break
            }
            if index == bytes.count - 1, byte == UInt8(ascii: "\\") { return true }
            if !" \t\r\n".utf8.contains(bytes[index]) { last = bytes[index] }
            previous = bytes[index]
            index += 1
        }
        return !open.isEmpty || last == UInt8(ascii: "|")
    }

    private static func doubleQuoteEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 1
            } else if bytes[index] == UInt8(ascii: "\"") {
                return index
            }
            index += 1
        }
        return nil
    }
}
