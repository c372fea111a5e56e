import Core
import Geodesy
import PluginKit

/// The angles between the classes of turns, and the distance within which two turns are one instruction: settings of the
/// session, to be tried and compared.
public struct TurnThresholds: Sendable, Hashable {
    /// Degrees below which a turn is straight.
    public private(set) var straight = TurnDirection.Limits.straight
    /// Degrees below which it is slight.
    public private(set) var slight = TurnDirection.Limits.slight
    /// Degrees below which it is ordinary.
    public private(set) var turn = TurnDirection.Limits.turn
    /// Degrees below which it is sharp, else a U-turn.
    public private(set) var sharp = TurnDirection.Limits.sharp
    /// Turns nearer than this to the one before are merged with it, metres.
    public private(set) var spacing = TurnSettings.spacing

    /// The defaults.
    public init() {}

    /// The settings of a session; those that no plugin declares have their defaults.
    public init(_ values: [String: Value]) {
        for field in Self.fields {
            if case .quantity(let quantity)? = values[field.name] {
                self[keyPath: field.path] = quantity.value
            }
        }
    }

    /// The class of a turn by its angle, −180 < delta ≤ 180, positive to the right.
    public func direction(_ delta: Double) -> TurnDirection {
        let isRight = delta > 0
        switch abs(delta) {
        case ..<straight: return .straight
        case ..<slight: return isRight ? .slightRight : .slightLeft
        case ..<turn: return isRight ? .right : .left
        case ..<sharp: return isRight ? .sharpRight : .sharpLeft
        default: return .uTurn
        }
    }

    /// The settings for `set turns.…`.
    public static var settings: [SettingSpec] {
        fields.map { field in
            let standard = Literal.quantity(
                Quantity(TurnThresholds()[keyPath: field.path], field.dimension))
            return SettingSpec(
                field.name, .quantity(field.dimension, field.range), default: standard, field.help
            ) { values in
                let given = TurnThresholds(values)
                guard given.straight <= given.slight, given.slight <= given.turn, given.turn <= given.sharp
                else {
                    throw CommonErrors.argumentRange(
                        "the angles of turns must not decrease: straight \(shown(given.straight)), slight "
                            + "\(shown(given.slight)), turn \(shown(given.turn)), sharp \(shown(given.sharp))",
                        at: .parameter("value"), fix: "set turns")
                }
            }
        }
    }

    private static func shown(_ degrees: Double) -> String { Literal.quantity(.degrees(degrees)) }

    /// A threshold as a setting.
    private struct Field: Sendable {
        let name: String
        let path: WritableKeyPath<TurnThresholds, Double> & Sendable
        let dimension: PhysicalDimension
        let range: ClosedRange<Double>
        let help: String
    }

    private static var fields: [Field] {
        let angles = 0.0...180
        return [
            Field(
                name: "turns.straight", path: \.straight, dimension: .angle, range: angles,
                help: "angle below which a turn is straight on"),
            Field(
                name: "turns.slight", path: \.slight, dimension: .angle, range: angles,
                help: "angle below which a turn is slight: bear left or right"),
            Field(
                name: "turns.turn", path: \.turn, dimension: .angle, range: angles,
                help: "angle below which a turn is ordinary, else sharp"),
            Field(
                name: "turns.sharp", path: \.sharp, dimension: .angle, range: angles,
                help: "angle below which a turn is sharp, else a U-turn"),
            Field(
                name: "turns.spacing", path: \.spacing, dimension: .length, range: 0...1000,
                help: "distance within which two turns are one instruction"),
        ]
    }
}
