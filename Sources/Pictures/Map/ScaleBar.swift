import Core
import Foundation
import Geodesy

/// The units a scale is written in.
public enum ScaleUnits: String, Sendable, Hashable, CaseIterable {
    /// Metres and kilometres.
    case metric
    /// Feet and miles.
    case imperial

    /// The units of a session.
    public init(_ system: UnitSystem) {
        switch system {
        case .metric: self = .metric
        case .imperial: self = .imperial
        }
    }
}

/// A bar of a round length.
struct ScaleBar: Sendable, Hashable {
    /// The length that it represents, in metres.
    let metres: Double
    /// The length as text, such as `500 m`.
    let text: String

    /// Half way round the Earth, in metres: nothing is farther apart.
    private static let longest = GeodesySettings.earthRadius * .pi

    /// The longest bar of 1, 2 or 5 times a power of ten that is no longer than `metres`, nor than the Earth's half
    /// circumference; `nil` for none.
    init?(notLongerThan metres: Double, units: ScaleUnits) {
        guard metres.isFinite, metres > 0 else { return nil }
        let metres = min(metres, Self.longest)
        let (unit, name) = Self.unit(for: metres, units)
        let count = RoundNumber.floor(metres / unit)
        guard count > 0 else { return nil }
        self.metres = count * unit
        let decimals = max(0, -Int(log10(count).rounded(.down)))
        text = NumberText.decimal(count, places: decimals) + " " + name
    }

    private static func unit(for metres: Double, _ units: ScaleUnits) -> (Double, String) {
        switch units {
        case .metric: metres >= 1_000 ? (1_000, "km") : metres >= 1 ? (1, "m") : (0.01, "cm")
        case .imperial: metres >= 1_609.344 ? (1_609.344, "mi") : (0.3048, "ft")
        }
    }
}

/// Numbers that are easy to read: 1, 2 or 5 times a power of ten.
enum RoundNumber {
    /// The greatest round number that is not greater.
    static func floor(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 0 }
        let exponent = Int(log10(value * (1 + 1e-9)).rounded(.down))
        let power = Self.power(exponent)
        let leading = value * (1 + 1e-9) / power
        return (leading >= 5 ? 5 : leading >= 2 ? 2 : 1) * power
    }

    /// The least round number that is not less.
    static func ceiling(_ value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 0 }
        let below = floor(value)
        if below >= value * (1 - 1e-9) { return below }
        let exponent = Int(log10(below * (1 + 1e-9)).rounded(.down))
        let power = Self.power(exponent)
        let leading = (below / power).rounded()
        return (leading == 1 ? 2 : leading == 2 ? 5 : 10) * power
    }

    /// Ten to a power, as near as a decimal literal.
    static func power(_ exponent: Int) -> Double {
        exponent >= 0 ? pow(10, Double(exponent)) : 1 / pow(10, Double(-exponent))
    }
}
