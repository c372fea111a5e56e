import Foundation

/// Decimal numbers as text, the same on every machine and in every locale.
///
/// Rounded correctly from the binary value, as C's `printf` does, but many times faster. A value that rounds to zero has
/// no sign. Values that are not finite are `nan`, `inf` and `-inf`.
public enum DecimalText {
    /// What becomes of a value exactly half way between two decimals.
    public enum Halves: Sendable {
        /// The even last digit, as in IEEE 754: 0.125 is 0.12.
        case even
        /// Away from zero: 0.125 is 0.13.
        case away
    }

    /// Exactly that many decimals: `8.90`.
    public static func fixed(_ value: Double, decimals: Int, halves: Halves = .even) -> String {
        text(value, decimals, halves, trims: false)
    }

    /// At most that many decimals, without trailing zeros: `8.9`.
    public static func trimmed(_ value: Double, decimals: Int, halves: Halves = .even) -> String {
        text(value, decimals, halves, trims: true)
    }

    /// Appends what `trimmed` returns, as ASCII.
    public static func append(_ value: Double, decimals: Int, to bytes: inout [UInt8]) {
        guard let digits = scaled(value, decimals, .even) else {
            return bytes.append(contentsOf: printed(value, decimals, trims: true).utf8)
        }
        withDigits(digits, decimals, isNegative: value < 0, trims: true) { bytes.append(contentsOf: $0) }
    }

    private static func text(_ value: Double, _ decimals: Int, _ halves: Halves, trims: Bool) -> String {
        guard let digits = scaled(value, decimals, halves) else {
            return printed(value, decimals, trims: trims)
        }
        return withDigits(digits, decimals, isNegative: value < 0, trims: trims) {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private static let powers: [Double] = (0...9).map { pow(10, Double($0)) }

    /// The absolute value times a power of ten as the nearest whole number; `nil` beyond the doubles that have halves.
    private static func scaled(_ value: Double, _ decimals: Int, _ halves: Halves) -> UInt64? {
        guard powers.indices.contains(decimals) else { return nil }
        let (size, power) = (abs(value), powers[decimals])
        let product = size * power
        guard product < 1e15 else { return nil }
        let whole = product.rounded(.down)
        let fraction = product - whole
        let digits = UInt64(whole)
        if fraction != 0.5 { return fraction > 0.5 ? digits + 1 : digits }
        // The product may have been rounded to the half; its error is exact.
        let error = (-product).addingProduct(size, power)
        if error != 0 { return error > 0 ? digits + 1 : digits }
        return halves == .away || digits % 2 == 1 ? digits + 1 : digits
    }

    /// Calls a closure with the ASCII of a number of that many decimals.
    private static func withDigits<Result>(
        _ scaled: UInt64, _ decimals: Int, isNegative: Bool, trims: Bool,
        _ body: (UnsafeMutableBufferPointer<UInt8>.SubSequence) -> Result
    ) -> Result {
        var (number, left) = (scaled, decimals)
        if trims { while left > 0, number % 10 == 0 { (number, left) = (number / 10, left - 1) } }
        // From the last digit to the first: a sign, 16 digits, a point and leading zeros are the most.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digits in
            var start = digits.count
            func put(_ byte: UInt8) {
                start -= 1
                digits[start] = byte
            }
            for _ in 0..<left {
                put(UInt8(ascii: "0") + UInt8(number % 10))
                number /= 10
            }
            if left > 0 { put(UInt8(ascii: ".")) }
            repeat {
                put(UInt8(ascii: "0") + UInt8(number % 10))
                number /= 10
            } while number > 0
            if isNegative, scaled > 0 { put(UInt8(ascii: "-")) }
            return body(digits[start...])
        }
    }

    /// The same by the C library, for large numbers and many decimals.
    private static func printed(_ value: Double, _ decimals: Int, trims: Bool) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : (value < 0 ? "-inf" : "inf") }
        let text = String(format: "%.\(max(0, decimals))f", value)
        let isZero = !text.utf8.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        let unsigned = isZero && text.hasPrefix("-") ? String(text.dropFirst()) : text
        return trims && unsigned.contains(".") ? withoutTrailingZeros(unsigned) : unsigned
    }

    /// A number with a point without the zeros at its end.
    static func withoutTrailingZeros(_ text: String) -> String {
        var cut = Substring(text)
        while cut.hasSuffix("0") { cut.removeLast() }
        if cut.hasSuffix(".") { cut.removeLast() }
        return String(cut)
    }
}
