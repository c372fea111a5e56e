/// A number with a unit.
///
/// The value is kept in the dimension's base unit (metres, seconds, degrees, metres a second, shares of one,
/// hertz). How it is shown is kept beside it: a quantity that was typed shows the unit it was typed in; one
/// that was computed picks a unit that suits its size.
public struct Quantity: Sendable {
    /// The amount in base units.
    public var value: Double
    /// What it measures.
    public var dimension: PhysicalDimension
    /// The unit to show it in; `nil` picks one.
    public var unit: MeasureUnit?
    /// Significant digits to show; `nil` shows all that are meaningful.
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

    /// Digits shown of what was measured or computed by a command.
    public static let measuredDigits = 3

    /// A measured length in metres, shown to three digits (`453m`, `6.12km`).
    public static func metres(_ value: Double) -> Quantity {
        Quantity(value, .length, digits: measuredDigits)
    }

    /// A height in metres, shown to the metre and never in kilometres.
    public static func altitude(_ value: Double) -> Quantity {
        Quantity(value, .length, unit: MeasureUnit.named("m"), digits: max(measuredDigits, 4))
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

    /// A share of one, shown in per cent.
    public static func share(_ value: Double) -> Quantity { Quantity(value, .ratio, digits: measuredDigits) }
}

extension PhysicalDimension {
    /// What a product of two dimensions measures; `nil` when the workbench has no unit for it.
    public static func product(_ left: PhysicalDimension, _ right: PhysicalDimension) -> PhysicalDimension? {
        switch (left, right) {
        case (.ratio, let other), (let other, .ratio): other
        case (.speed, .duration), (.duration, .speed): .length
        default: nil
        }
    }

    /// What a quotient of two different dimensions measures; `nil` when there is no unit for it.
    public static func quotient(_ left: PhysicalDimension, _ right: PhysicalDimension) -> PhysicalDimension? {
        switch (left, right) {
        case (let other, .ratio): other
        case (.length, .duration): .speed
        case (.length, .speed): .duration
        default: nil
        }
    }
}
