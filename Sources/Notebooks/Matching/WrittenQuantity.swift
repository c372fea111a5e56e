import Core

/// A number with a unit in output, such as `6.1km`, `1h30min`, `2%`, `7`, in the units of the command language.
struct WrittenQuantity: Sendable, Equatable {
    /// The dimension. Two quantities are compared only if it is equal.
    enum Dimension: Sendable, Equatable {
        /// No unit.
        case none
        /// A unit of the command language.
        case of(PhysicalDimension)
        /// Letters that are not a unit.
        case other(String)
    }

    /// The value in the base unit.
    let value: Double
    let dimension: Dimension

    /// Parses a whole text as a quantity.
    init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard let (quantity, end) = Self.scan(ScalarScanner(scalars), at: 0), end == scalars.count else {
            return nil
        }
        self = quantity
    }

    private init(value: Double, dimension: Dimension) {
        self.value = value
        self.dimension = dimension
    }

    /// The longest quantity at an offset of a line, and its end.
    static func scan(_ scanner: ScalarScanner, at start: Int) -> (WrittenQuantity, end: Int)? {
        guard let numberEnd = scanner.number(at: start) else { return nil }
        if let pace = pace(scanner, at: start, numberEnd) { return pace }
        var end = unitEnd(scanner, from: numberEnd)
        guard end > numberEnd else {
            return number(scanner, start..<end).map { (WrittenQuantity(value: $0, dimension: .none), end) }
        }
        guard var quantity = Quantity(written: scanner.text(start..<end)) else {
            let letters = Dimension.other(scanner.text(numberEnd..<end))
            return number(scanner, start..<numberEnd).map {
                (WrittenQuantity(value: $0, dimension: letters), end)
            }
        }
        while quantity.dimension == .duration, let next = durationEnd(scanner, from: end),
            let longer = Quantity(written: scanner.text(start..<next))
        {
            (quantity, end) = (longer, next)
        }
        return (WrittenQuantity(value: quantity.value, dimension: .of(quantity.dimension)), end)
    }

    /// A pace such as `5:30/km`.
    private static func pace(
        _ scanner: ScalarScanner, at start: Int, _ minutesEnd: Int
    ) -> (WrittenQuantity, end: Int)? {
        guard scanner.scalar(minutesEnd) == ":" else { return nil }
        var end = minutesEnd + 1
        while let scalar = scanner.scalar(end), scanner.isDigit(end) || scalar == "." || isUnit(scalar) {
            end += 1
        }
        // What follows, such as the full stop of a sentence, is no part of it.
        guard let paceEnd = Quantity.paceEnd(Array(scanner.text(start..<end).utf8), after: minutesEnd - start)
        else { return nil }
        end = start + paceEnd
        guard let quantity = Quantity(written: scanner.text(start..<end)) else { return nil }
        return (WrittenQuantity(value: quantity.value, dimension: .of(quantity.dimension)), end)
    }

    private static func number(_ scanner: ScalarScanner, _ range: Range<Int>) -> Double? {
        WrittenNumber(Array(scanner.text(range).utf8))?.amount
    }

    /// The end of a further part of a duration.
    private static func durationEnd(_ scanner: ScalarScanner, from start: Int) -> Int? {
        guard scanner.isDigit(start), let numberEnd = scanner.number(at: start) else { return nil }
        let end = unitEnd(scanner, from: numberEnd)
        return end > numberEnd ? end : nil
    }

    private static func unitEnd(_ scanner: ScalarScanner, from start: Int) -> Int {
        var end = start
        while let scalar = scanner.scalar(end), isUnit(scalar) { end += 1 }
        while end > start, scanner.scalar(end - 1) == "/" { end -= 1 }
        return end
    }

    private static func isUnit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar == "%" || scalar == "/" || scalar == "°"
    }
}

/// A quantity with a tolerance.
struct Tolerance: Sendable, Equatable {
    let centre: WrittenQuantity
    /// In the base unit.
    let margin: Double

    /// Whether a quantity is within the tolerance, plus a billionth of the larger value for binary rounding.
    func contains(_ quantity: WrittenQuantity) -> Bool {
        guard quantity.dimension == centre.dimension else { return false }
        let slack = 1e-9 * max(abs(centre.value), abs(margin))
        return abs(quantity.value - centre.value) <= margin + slack
    }
}
