/// A number as the command language writes it: `42`, `-1_000.5`, `2e5`, `.5`.
public struct WrittenNumber: Sendable {
    /// Its value, which may be infinite: `1e999`.
    public var amount: Double
    /// Whether the number is too small for a floating-point number, which has 0 instead: `1e-400`.
    public var vanishes = false
    /// The exact integer, if it is written without point and exponent and fits into 64 bits.
    public var whole: Int?
    /// The byte after its last.
    public var end: Int

    /// The number at an offset of a text in UTF-8: `[+-]digits[.digits][e[+-]digits]` with `_` between digits, or with a
    /// leading point. `nil` if no number begins there.
    public init?(_ bytes: [UInt8], from start: Int = 0) {
        var position = start
        var text: [UInt8] = []
        func at(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
        if at(position) == UInt8(ascii: "-") || at(position) == UInt8(ascii: "+") {
            if at(position) == UInt8(ascii: "-") { text.append(at(position)) }
            position += 1
        }
        let firstDigit = position
        func digits() {
            while Self.isDigit(at(position))
                || (at(position) == UInt8(ascii: "_") && Self.isDigit(at(position + 1))
                    && position > firstDigit)
            {
                if Self.isDigit(at(position)) { text.append(at(position)) }
                position += 1
            }
        }
        digits()
        var isWhole = true
        if at(position) == UInt8(ascii: "."), Self.isDigit(at(position + 1)) {
            if position == firstDigit { text.append(UInt8(ascii: "0")) }
            text.append(UInt8(ascii: "."))
            position += 1
            digits()
            isWhole = false
        }
        guard position > firstDigit else { return nil }
        if at(position) | 32 == UInt8(ascii: "e") {
            let sign = at(position + 1) == UInt8(ascii: "-") || at(position + 1) == UInt8(ascii: "+") ? 1 : 0
            if Self.isDigit(at(position + 1 + sign)) {
                text.append(contentsOf: bytes[position...position + sign])
                position += 1 + sign
                digits()
                isWhole = false
            }
        }
        end = position
        if isWhole, text.count <= 18 {
            let size = text.reduce(0) { Self.isDigit($1) ? $0 * 10 + Int($1 - 48) : $0 }
            let signed = text.first == UInt8(ascii: "-") ? -size : size
            (amount, whole) = (Double(signed), signed)
            return
        }
        let written = String(decoding: text, as: UTF8.self)
        guard let amount = Double(written) else { return nil }
        self.amount = amount
        vanishes = Self.vanishes(written, as: amount)
        whole = isWhole ? Int(written) : nil
    }

    /// Whether a text of a number that is not zero became one.
    public static func vanishes(_ text: some StringProtocol, as amount: Double) -> Bool {
        guard amount == 0 else { return false }
        let mantissa = text.utf8.prefix { $0 | 32 != UInt8(ascii: "e") }
        return mantissa.contains { isDigit($0) && $0 != UInt8(ascii: "0") }
    }

    /// Whether a byte is an ASCII digit.
    public static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }
}

extension Quantity {
    /// A whole text as a quantity of the command language: a number with its unit, or a duration in parts, each in a smaller
    /// unit than the one before, or a pace in minutes and seconds: `120m`, `-2.5km/h`, `1min30s`, `5:30/km`. `nil` for anything
    /// else.
    public init?(written text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard let number = WrittenNumber(bytes) else { return nil }
        self.init(written: bytes, startingWith: number)
    }

    /// The same for a text in UTF-8 whose first number has been read.
    public init?(written bytes: [UInt8], startingWith number: WrittenNumber) {
        if let unit = MeasureUnit.named(String(decoding: bytes[number.end...], as: UTF8.self)) {
            self.init(number.amount, unit: unit)
        } else if let pace = Self.pace(bytes, number) {
            self = pace
        } else if let seconds = Self.durationInParts(bytes) {
            self.init(seconds, .duration)
        } else {
            return nil
        }
        guard value.isFinite else { return nil }
    }

    /// The value in base units if it is of a dimension.
    public func value(of dimension: PhysicalDimension) -> Double? {
        self.dimension == dimension ? value : nil
    }

    /// The end of a pace such as `5:30/km` or `12:05.5min/mi` whose minutes end at `end`; `nil` for anything else.
    public static func paceEnd(_ bytes: [UInt8], after end: Int) -> Int? { paceParts(bytes, after: end)?.end }

    private static func paceParts(
        _ bytes: [UInt8], after end: Int
    ) -> (seconds: Double, unit: MeasureUnit, end: Int)? {
        guard end < bytes.count, bytes[end] == UInt8(ascii: ":"),
            let seconds = WrittenNumber(bytes, from: end + 1), seconds.amount < 60,
            bytes[(end + 1)...].prefix(while: WrittenNumber.isDigit).count == 2,
            bytes[(end + 1)..<seconds.end].allSatisfy({ WrittenNumber.isDigit($0) || $0 == UInt8(ascii: ".") }
            )
        else { return nil }
        var rest = bytes[seconds.end...]
        if rest.starts(with: "min".utf8) { rest = rest.dropFirst("min".count) }
        guard rest.first == UInt8(ascii: "/") else { return nil }
        let length = rest.dropFirst().prefix(while: isLetter)
        guard let unit = MeasureUnit.named("min/" + String(decoding: length, as: UTF8.self)) else {
            return nil
        }
        return (seconds.amount, unit, length.endIndex)
    }

    private static func pace(_ bytes: [UInt8], _ minutes: WrittenNumber) -> Quantity? {
        guard let whole = minutes.whole, let parts = paceParts(bytes, after: minutes.end),
            parts.end == bytes.count
        else { return nil }
        let amount = abs(Double(whole)) + parts.seconds / 60
        return Quantity(bytes.first == UInt8(ascii: "-") ? -amount : amount, unit: parts.unit)
    }

    private static func durationInParts(_ bytes: [UInt8]) -> Double? {
        var position = 0
        var total = 0.0
        var last = Double.infinity
        while position < bytes.count {
            guard position == 0 || WrittenNumber.isDigit(bytes[position]),
                let number = WrittenNumber(bytes, from: position)
            else { return nil }
            let end = bytes[number.end...].firstIndex { !isLetter($0) } ?? bytes.count
            let unit = MeasureUnit.named(String(decoding: bytes[number.end..<end], as: UTF8.self))
            guard let unit, unit.dimension == .duration, unit.factor < last else { return nil }
            total += abs(number.amount) * unit.factor
            last = unit.factor
            position = end
        }
        return bytes.first == UInt8(ascii: "-") ? -total : total
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 32) >= 97 && (byte | 32) <= 122 }
}
