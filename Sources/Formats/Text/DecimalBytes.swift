/// Parses decimal numbers from bytes without creating strings: files have millions of them.
enum DecimalBytes {
    /// Powers of ten that are exact in a `Double`.
    private static let powers = (0...22).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }
    /// Integers below this are exact in a `Double`, with space for one more digit.
    private static let mostExact: UInt64 = 900_000_000_000_000

    /// The number in some bytes, equal to the result of `Double(_:)` for their text.
    static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        plain(bytes) ?? decimal(String(decoding: bytes, as: UTF8.self))
    }

    /// The finite number that a text is in decimal digits, with a point and an exponent; `Double(_:)` takes hexadecimal numbers
    /// and `nan` too, which no format of tracks has.
    static func decimal(_ text: some StringProtocol) -> Double? {
        guard text.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || "+-.eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// What is said of digits that `western` has changed.
    static let foreignDigits = "numbers in digits of another script, read as 0 to 9"

    /// A text with the digits of other scripts as 0 to 9, and their signs, as programs write them that follow the language of the
    /// telephone; `nil` if it has none.
    static func western(_ text: String) -> String? {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        var isChanged = false
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            if scalar.isASCII { return scalar }
            if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
                isChanged = true
                return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
            }
            // The decimal separator of Arabic.
            guard scalar == "\u{66B}" else { return scalar }
            isChanged = true
            return "."
        }
        return isChanged ? String(String.UnicodeScalarView(scalars)) : nil
    }

    /// The number of digits around a single comma, as programs write it that follow the language of the computer.
    static func withComma(_ bytes: some Collection<UInt8>) -> Double? {
        let comma = UInt8(ascii: ",")
        guard bytes.count(where: { $0 == comma }) == 1, !bytes.contains(UInt8(ascii: ".")) else { return nil }
        return decimal(String(decoding: bytes.map { $0 == comma ? UInt8(ascii: ".") : $0 }, as: UTF8.self))
    }

    /// A number of digits with an optional sign and point; `nil` for anything else, and if finding the
    /// nearest `Double` takes longer. A quotient of two exact numbers is rounded once, so it is the nearest
    /// (Clinger 1990).
    static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        var index = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative || bytes.first == UInt8(ascii: "+") { index = 1 }
        var value: UInt64 = 0
        var digits = 0
        var decimals = -1
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "."), decimals < 0, digits > 0 {
                decimals = 0
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9, value < mostExact else { return nil }
            value = value * 10 + UInt64(digit)
            digits += 1
            if decimals >= 0 { decimals += 1 }
        }
        guard digits > 0, decimals != 0, decimals < powers.count else { return nil }
        let magnitude = decimals > 0 ? Double(value) / powers[decimals] : Double(value)
        return isNegative ? -magnitude : magnitude
    }
}
