import CivilTime
import Foundation

/// Parses the values of fields from their bytes.
enum FieldParser {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    /// A time of the service day in seconds after its reference: `HH:MM:SS` or `H:MM:SS`, past 24 hours too.
    static func time(_ field: FieldBytes) -> Int? {
        // Minutes and seconds have two digits; only hours vary in length.
        let colon = UInt8(ascii: ":")
        let hourDigits = field.count - 6
        guard (1...3).contains(hourDigits), field[hourDigits] == colon, field[hourDigits + 3] == colon else {
            return nil
        }
        guard let hours = whole(field, 0, hourDigits),
            let minutes = whole(field, hourDigits + 1, hourDigits + 3),
            let seconds = whole(field, hourDigits + 4, hourDigits + 6), minutes < 60, seconds < 60
        else { return nil }
        let total = hours * 3600 + minutes * 60 + seconds
        return total <= TransitSettings.latestTime ? total : nil
    }

    /// A day: `YYYYMMDD`.
    static func date(_ field: FieldBytes) -> CivilDate? {
        guard field.count == 8, let year = whole(field, 0, 4), let month = whole(field, 4, 6),
            let day = whole(field, 6, 8)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// An unsigned whole number of at most nine digits.
    static func integer(_ field: FieldBytes) -> Int? {
        field.count <= 9 ? whole(field, 0, field.count) : nil
    }

    /// The value of a text by a parser of fields.
    static func value<T>(_ text: String, _ parse: (FieldBytes) -> T?) -> T? {
        Array(text.utf8).withUnsafeBufferPointer { parse($0) }
    }

    @inline(__always)
    private static func whole(_ field: FieldBytes, _ from: Int, _ to: Int) -> Int? {
        guard from < to else { return nil }
        var value = 0
        for index in from..<to {
            guard digits.contains(field[index]) else { return nil }
            value = value * 10 + Int(field[index] - digits.lowerBound)
        }
        return value
    }

    /// A finite number with a decimal point, bit-identical to the result of `Double`'s parser.
    static func number(_ field: FieldBytes) -> Double? {
        var at = 0
        let isNegative = field.first == UInt8(ascii: "-")
        if isNegative || field.first == UInt8(ascii: "+") { at = 1 }
        var mantissa: UInt64 = 0
        var digitCount = 0
        var decimals = 0
        var hasPoint = false
        while at < field.count {
            let byte = field[at]
            if digits.contains(byte) {
                mantissa = mantissa &* 10 &+ UInt64(byte - digits.lowerBound)
                digitCount += 1
                if hasPoint { decimals += 1 }
            } else if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else {
                return slowNumber(field)
            }
            at += 1
        }
        // Up to 2⁵³ and 10²² both operands of the division are exact, so the quotient is rounded once.
        guard digitCount > 0, digitCount <= 15, decimals < powersOfTen.count else { return slowNumber(field) }
        let value = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    private static let powersOfTen: [Double] = (0...15).map { pow(10, Double($0)) }

    private static func slowNumber(_ field: FieldBytes) -> Double? {
        guard let first = field.first, first < 0x40, field.count < 64 else { return nil }
        return Double(String(decoding: field, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
    }
}
