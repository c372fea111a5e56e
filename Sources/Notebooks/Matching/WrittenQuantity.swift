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
        guard let (first, unitEnd) = part(scanner, at: start) else { return nil }
        var total = first.value
        var end = unitEnd
        let isNegative = scanner.scalar(start) == "-"
        while first.dimension == .of(.duration), scanner.isDigit(end),
            let (next, nextEnd) = part(scanner, at: end),
            next.dimension == .of(.duration)
        {
            total += isNegative ? -next.value : next.value
            end = nextEnd
        }
        return (WrittenQuantity(value: total, dimension: first.dimension), end)
    }

    /// One number with its unit. An exponent is part of the number in `2e5`; `3mi` has none.
    private static func part(_ scanner: ScalarScanner, at start: Int) -> (WrittenQuantity, end: Int)? {
        guard let numberEnd = scanner.number(at: start),
            let number = NumberText.value(scanner.text(start..<numberEnd))
        else { return nil }
        var end = numberEnd
        while let scalar = scanner.scalar(end), isUnit(scalar) { end += 1 }
        while end > numberEnd, scanner.scalar(end - 1) == "/" { end -= 1 }
        guard end > numberEnd else { return (WrittenQuantity(value: number, dimension: .none), numberEnd) }
        let name = scanner.text(numberEnd..<end)
        guard let unit = MeasureUnit.named(name) else {
            return (WrittenQuantity(value: number, dimension: .other(name)), end)
        }
        return (WrittenQuantity(value: number * unit.factor, dimension: .of(unit.dimension)), end)
    }

    private static func isUnit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar == "%" || scalar == "/" || scalar == "°"
    }
}

/// Numbers as written.
enum NumberText {
    /// The value of a number that may have underscores.
    static func value(_ text: String) -> Double? {
        Double(text.filter { $0 != "_" })
    }

    /// The value of one unit in the last written digit: 0.1 for `6.1`, 1 for `42`, 100 for `3e2`.
    static func lastDigit(_ text: String) -> Double {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = parts.first ?? ""
        let decimals = mantissa.firstIndex(of: ".").map { mantissa[$0...].utf8.count - 1 } ?? 0
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return Double("1e\(exponent - decimals)") ?? 1
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
