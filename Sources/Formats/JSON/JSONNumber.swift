/// Numbers as JSON writes them (RFC 8259, section 6).
public enum JSONNumber {
    /// Number of digits up to which an integer is always finite in 64-bit floating point.
    static let surelyFinite = 300

    /// Whether a whole text is a number, and whether it has neither point nor exponent; `nil` for other text.
    public static func isWhole(_ text: String) -> Bool? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first) else {
            return nil
        }
        var text = text
        return text.withUTF8 { bytes in
            guard let end = end(bytes, 0), end.index == bytes.count else { return nil }
            return end.isWhole
        }
    }

    /// The end of the number at an index, and whether it is an integer; `nil` if there is none.
    static func end(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> (index: Int, isWhole: Bool)? {
        var index = start
        func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
        func digits() -> Bool {
            let start = index
            while (48...57).contains(at(index)) { index += 1 }
            return index > start
        }
        if at(index) == UInt8(ascii: "-") { index += 1 }
        if at(index) == UInt8(ascii: "0") { index += 1 } else if !digits() { return nil }
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
}
