/// A number with a unit, as the command language writes it: `6.1km`, `1h30min`, `2%`, `7`.
struct Quantity: Sendable, Equatable {
    /// What kind of thing a unit measures. Two quantities are compared only within one.
    enum Dimension: Sendable, Equatable {
        case none, length, time, speed, angle
        /// A unit we do not convert, by its name.
        case other(String)
    }

    /// The value in the dimension's base unit: metres, seconds, metres a second, degrees.
    let value: Double
    let dimension: Dimension

    /// The units and their factors to the base unit.
    private static let units: [String: (dimension: Dimension, factor: Double)] = [
        "mm": (.length, 0.001), "cm": (.length, 0.01), "m": (.length, 1), "km": (.length, 1000),
        "ft": (.length, 0.3048), "mi": (.length, 1609.344),
        "ms": (.time, 0.001), "s": (.time, 1), "min": (.time, 60), "h": (.time, 3600), "d": (.time, 86_400),
        "m/s": (.speed, 1), "km/h": (.speed, 1000.0 / 3600), "mi/h": (.speed, 1609.344 / 3600),
        "mph": (.speed, 1609.344 / 3600),
        "deg": (.angle, 1), "°": (.angle, 1),
    ]

    /// A quantity that is the whole of a text.
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

    /// The longest quantity at a place of a line, and where it ends.
    static func scan(_ scanner: ScalarScanner, at start: Int) -> (Quantity, end: Int)? {
        guard let (first, unitEnd) = part(scanner, at: start) else { return nil }
        var total = first.value
        var end = unitEnd
        let isNegative = scanner.scalar(start) == "-"
        while first.dimension == .time, scanner.isDigit(end), let (next, nextEnd) = part(scanner, at: end),
            next.dimension == .time
        {
            total += isNegative ? -next.value : next.value
            end = nextEnd
        }
        return (Quantity(value: total, dimension: first.dimension), end)
    }

    /// One number with its unit. Numbers have no exponent here: in `2e5` it is, in `3mi` there is none.
    private static func part(_ scanner: ScalarScanner, at start: Int) -> (Quantity, end: Int)? {
        guard let numberEnd = scanner.number(at: start),
            let number = NumberText.value(scanner.text(start..<numberEnd))
        else { return nil }
        var end = numberEnd
        while let scalar = scanner.scalar(end), isUnit(scalar) { end += 1 }
        while end > numberEnd, scanner.scalar(end - 1) == "/" { end -= 1 }
        guard end > numberEnd else { return (Quantity(value: number, dimension: .none), numberEnd) }
        let name = scanner.text(numberEnd..<end)
        guard let unit = units[name] else { return (Quantity(value: number, dimension: .other(name)), end) }
        return (Quantity(value: number * unit.factor, dimension: unit.dimension), end)
    }

    private static func isUnit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar == "%" || scalar == "/" || scalar == "°"
    }
}

/// Numbers as they are written.
enum NumberText {
    /// The value of a number that may have underscores.
    static func value(_ text: String) -> Double? {
        Double(text.filter { $0 != "_" })
    }

    /// What one unit of the last digit written is worth: 0.1 for `6.1`, 1 for `42`, 100 for `3e2`.
    static func lastDigit(_ text: String) -> Double {
        let parts = text.lowercased().split(separator: "e", maxSplits: 1)
        let mantissa = parts.first ?? ""
        let decimals = mantissa.firstIndex(of: ".").map { mantissa[$0...].utf8.count - 1 } ?? 0
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return Double("1e\(exponent - decimals)") ?? 1
    }
}

/// A quantity and how far another may be from it.
struct Tolerance: Sendable, Equatable {
    let centre: Quantity
    /// In the base unit.
    let margin: Double

    /// Whether a quantity is near enough. Half a billionth of the margin forgives binary fractions.
    func contains(_ quantity: Quantity) -> Bool {
        guard quantity.dimension == centre.dimension else { return false }
        let slack = 1e-9 * max(abs(centre.value), abs(margin))
        return abs(quantity.value - centre.value) <= margin + slack
    }
}
