import CivilTime
import Geodesy
import PluginKit

/// What guidance says at a fix.
public struct GuidanceEvent: Sendable, Hashable {
    /// What happened. The raw values are the words of the column `event`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A turn is near.
        case approaching
        /// The turn is here.
        case atTurn
        /// The line was left.
        case offRoute
        /// The line was found again.
        case backOnRoute
        /// The end is reached.
        case arrived
        /// A new route begins here.
        case rerouted
    }

    /// What happened.
    public var kind: Kind
    /// At which fix, counted from 1.
    public var fix: Int
    /// When.
    public var time: Timestamp
    /// Where one was.
    public var coordinate: Coordinate
    /// The turn that a prompt is about; of `arrived` the arrival.
    public var turn: TurnInstruction?
    /// Metres to the turn; for the line left or found, from the line; for a new route and at the end, what is left.
    public var distance: Double
    /// Metres from the start along the line.
    public var along: Double
    /// The direction to the line, degrees from north, when one has left it.
    public var bearing: Double?

    /// The direction that the column `direction` shows.
    public var direction: TurnDirection? { kind == .approaching || kind == .atTurn ? turn?.direction : nil }
}

/// What a watch lets its wearer feel.
public enum Haptic: String, Sendable, Hashable, CaseIterable {
    case click, directionDown, directionUp, failure, success

    /// What belongs to an event.
    public init?(_ event: GuidanceEvent) {
        switch event.kind {
        case .approaching: self = .click
        case .atTurn: self = Haptic(event.turn?.direction ?? .straight)
        case .offRoute: self = .failure
        case .arrived: self = .success
        case .backOnRoute, .rerouted: return nil
        }
    }

    private init(_ direction: TurnDirection) {
        switch direction {
        case .left, .slightLeft, .sharpLeft: self = .directionDown
        case .right, .slightRight, .sharpRight: self = .directionUp
        case .uTurn: self = .failure
        case .start, .straight, .arrive: self = .click
        }
    }
}
