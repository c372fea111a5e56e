/// Decimal numbers of bytes, without a text between: files have millions of them.
enum DecimalBytes {
    /// Powers of ten that a `Double` holds exactly.
    private static let powers = (0...22).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }
    /// Whole numbers below it are exact in a `Double`, with room for a digit more.
    private static let mostExact: UInt64 = 900_000_000_000_000

    /// The number that bytes write, the one that `Double(_:)` returns of their text.
    static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        plain(bytes) ?? Double(String(decoding: bytes, as: UTF8.self))
    }

    /// The number of digits with at most a sign and a point; `nil` for anything else, and where the nearest `Double` takes
    /// longer to find. A quotient of two exact numbers is rounded once, so it is the nearest (Clinger 1990).
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
