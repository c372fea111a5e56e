/// A number with a unit.
///
/// The value is stored in the dimension's base unit (metres, seconds, degrees, metres a second, ratios,
/// hertz), together with its display unit: a typed quantity keeps the unit it was typed in; for a computed
/// one a suitable unit is chosen.
public struct Quantity: Sendable {
    /// The amount in base units.
    public var value: Double
    /// Its dimension.
    public var dimension: PhysicalDimension
    /// The display unit; `nil` chooses one.
    public var unit: MeasureUnit?
    /// Significant digits to show; `nil` shows all meaningful ones.
    public var digits: Int?

    /// A quantity in base units.
    public init(_ value: Double, _ dimension: PhysicalDimension, unit: MeasureUnit? = nil, digits: Int? = nil)
    {
        self.value = value
        self.dimension = dimension
        self.unit = unit
        self.digits = digits
    }

    /// A quantity as written: an amount and its unit.
    public init(_ amount: Double, unit: MeasureUnit) {
        self.init(amount * unit.factor, unit.dimension, unit: unit)
    }

    /// Significant digits of measured or computed values.
    public static let measuredDigits = 3

    /// A measured length in metres, shown to three digits (`453m`, `6.12km`).
    public static func metres(_ value: Double) -> Quantity {
        Quantity(value, .length, digits: measuredDigits)
    }

    /// A height in metres, shown to the metre and never in kilometres.
    public static func altitude(_ value: Double) -> Quantity {
        Quantity(value, .length, unit: .metre, digits: max(measuredDigits, 4))
    }

    /// A measured duration in seconds, shown to the second below an hour and to the minute from there.
    public static func seconds(_ value: Double) -> Quantity {
        Quantity(value.rounded(), .duration, digits: measuredDigits)
    }

    /// A direction in degrees, shown to the degree.
    public static func degrees(_ value: Double) -> Quantity {
        Quantity(value, .angle, digits: measuredDigits)
    }

    /// A measured speed in metres a second.
    public static func metresPerSecond(_ value: Double) -> Quantity {
        Quantity(value, .speed, digits: measuredDigits)
    }

    /// A measured pace in seconds a metre, shown to the second of a kilometre or mile.
    public static func secondsPerMetre(_ value: Double) -> Quantity {
        Quantity(value, .pace, digits: measuredDigits)
    }

    /// A ratio, shown in per cent.
    public static func share(_ value: Double) -> Quantity { Quantity(value, .ratio, digits: measuredDigits) }
}

extension PhysicalDimension {
    /// The dimension of a product; `nil` if there is no unit for it.
    public static func product(_ left: PhysicalDimension, _ right: PhysicalDimension) -> PhysicalDimension? {
        switch (left, right) {
        case (.ratio, let other), (let other, .ratio): other
        case (.speed, .duration), (.duration, .speed): .length
        case (.pace, .length), (.length, .pace): .duration
        default: nil
        }
    }

    /// The dimension of one divided by a quantity; `nil` if there is no unit for it.
    public var inverse: PhysicalDimension? {
        switch self {
        case .speed: .pace
        case .pace: .speed
        case .duration: .frequency
        case .frequency: .duration
        default: nil
        }
    }

    /// The dimension of a quotient of two different dimensions; `nil` if there is no unit for it.
    public static func quotient(_ left: PhysicalDimension, _ right: PhysicalDimension) -> PhysicalDimension? {
        switch (left, right) {
        case (let other, .ratio): other
        case (.length, .duration): .speed
        case (.length, .speed): .duration
        case (.duration, .length): .pace
        case (.duration, .pace): .length
        default: nil
        }
    }
}
