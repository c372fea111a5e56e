import Foundation

/// Writes XML as bytes: elements, escaped text, numbers with fixed decimals. Independent of the format.
package struct XMLOutput {
    /// The written bytes.
    package private(set) var bytes: [UInt8] = []

    /// An empty output with a capacity in bytes.
    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Appends bytes unchanged.
    package mutating func raw(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Bytes, unchanged.
    package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// Removes everything written after an offset.
    package mutating func cut(to count: Int) { bytes.removeLast(max(0, bytes.count - count)) }

    /// Appends text unchanged, including markup.
    package mutating func markup(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends escaped text, for content and for attributes in double quotes. XML 1.0 cannot represent most
    /// control characters: they are omitted.
    package mutating func text(_ text: String) {
        if text.utf8.allSatisfy({ $0 >= 32 && $0 != 38 && $0 != 60 && $0 != 62 && $0 != 34 && $0 < 127 }) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "\r": raw("&#13;")
            case "\t", "\n": bytes.append(UInt8(scalar.value))
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: bytes.append(contentsOf: UTF8.encode(scalar).map(Array.init) ?? [])
            }
        }
    }

    /// Appends a number with at most this many decimals (0 to 9), without trailing zeros and exponent. The
    /// number must be finite.
    package mutating func decimal(_ value: Double, _ decimals: Int) {
        let scale = Self.powers[min(9, max(0, decimals))]
        let scaled = (value * Double(scale)).rounded(.toNearestOrEven)
        guard let whole = Int64(exactly: scaled) else {
            // Far beyond every coordinate and altitude.
            markup(String(format: "%.0f", value))
            return
        }
        var magnitude = whole.magnitude
        if whole < 0 { bytes.append(UInt8(ascii: "-")) }
        var fraction = magnitude % UInt64(scale)
        magnitude /= UInt64(scale)
        digits(magnitude, width: 1)
        guard fraction > 0 else { return }
        var width = min(9, max(0, decimals))
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        bytes.append(UInt8(ascii: "."))
        digits(fraction, width: width)
    }

    private static let powers: [Int64] = (0...9).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    private mutating func digits(_ value: UInt64, width: Int) {
        let end = bytes.count
        var rest = value
        var count = 0
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
            count += 1
        } while rest > 0 || count < width
        bytes[end...].reverse()
    }
}
