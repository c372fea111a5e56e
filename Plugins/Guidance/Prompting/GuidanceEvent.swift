import CivilTime
import Geodesy
import PluginKit

/// An event of guidance at a fix.
public struct GuidanceEvent: Sendable, Hashable {
    /// The kinds; the raw values are those of the column `event`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A turn is near.
        case approaching
        /// The turn is here.
        case atTurn
        /// The line was left.
        case offRoute
        /// The line was rejoined.
        case backOnRoute
        /// The line is walked in the opposite direction.
        case wrongWay
        /// The walker turned round before the farthest point, or has come to the way home, which is followed.
        case turnedRound
        /// Turns were passed before they could be announced, as without a signal.
        case passed
        /// The end is reached.
        case arrived
        /// A new route begins here.
        case rerouted
        /// No new route can be planned here.
        case noWay
    }

    /// The kind.
    public var kind: Kind
    /// The number of the fix, from 1.
    public var fix: Int
    /// The time of the fix.
    var time: Timestamp
    /// The position.
    var coordinate: Coordinate
    /// The turn of a prompt; for `arrived` the arrival; for `passed` the last of the turns.
    var turn: TurnInstruction?
    /// Metres: to the turn; from the line when it is left or rejoined; walked back for the wrong way; to
    /// the nearest way, or else to the line, if no new route can be planned; since the last of the turns that were
    /// passed; remaining for a new route, a way home and at the end.
    var distance: Double
    /// Metres from the start along the line.
    public var along: Double
    /// The direction to the line when it was left, or to the nearest way; of the line ahead when it is rejoined by one who does not
    /// go that way. Degrees from north.
    var bearing: Double?
    /// For `offRoute` and `backOnRoute`: whether the walker has not been on the route before.
    var isJoining = false
    /// Metres of the plan that were left out, when the line is rejoined, or with the turns that were passed; `nil` for none
    /// worth saying.
    var leftOut: Double?
    /// Whether `distance` and `bearing` are those of the nearest way.
    var isToWay = false
    /// For `turnedRound`: whether the walker turned; not of one who joins the way home, or comes to it from another part.
    var hasTurned = true
    /// For `passed`, and where the line is rejoined after a time without fixes: the number of turns; and what comes next unless
    /// this fix announces it, or, where the line is rejoined, unless it will be announced.
    var turnsPassed = 0
    var upcoming: Upcoming?
    /// For a prompt: the turns after it that are passed before the next fix is heard, each with the metres from the turn before.
    var following: [Upcoming] = []

    /// An instruction ahead.
    struct Upcoming: Sendable, Hashable {
        var turn: TurnInstruction
        /// Metres along the line.
        var distance: Double
    }

    /// The value of the column `direction`.
    var direction: TurnDirection? { kind == .approaching || kind == .atTurn ? turn?.direction : nil }
}

/// Haptic feedback of a watch.
enum Haptic: String, Sendable, Hashable, CaseIterable {
    case click, directionDown, directionUp, failure, success

    /// The feedback for an event.
    init?(_ event: GuidanceEvent) {
        switch event.kind {
        case .approaching, .turnedRound: self = .click
        case .atTurn: self = Haptic(event.turn?.direction ?? .straight)
        case .offRoute, .wrongWay: self = .failure
        case .arrived: self = .success
        case .backOnRoute, .passed, .rerouted, .noWay: return nil
        }
    }

    /// The symbol of the feedback.
    var symbol: String {
        switch self {
        case .click: "∙"
        case .directionDown: "↓"
        case .directionUp: "↑"
        case .failure: "✕"
        case .success: "✓"
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
