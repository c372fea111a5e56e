import CivilTime
import Geodesy

/// The state of guidance between two fixes.
public struct GuidanceState: Sendable, Hashable {
    /// The prompts of the next instruction that were spoken.
    public enum Given: Int, Sendable, Hashable {
        case nothing, approaching, atTurn
    }

    /// The number of fixes so far.
    public var fixes = 0
    /// The last fix.
    public var last: PositionFix?
    /// The match on the line; `nil` before the first fix.
    public var match: RouteMatch?
    /// The farthest point reached, metres from the start. A leap to another part of the line resets it.
    public var furthest = 0.0
    /// Whether the line was left.
    public var isOffRoute = false
    /// The time at which it was left.
    public var offRouteSince: Timestamp?
    /// The index of the next instruction in the route's stops; their count after the arrival.
    public var next = 0
    /// The prompts spoken for it.
    public var given = Given.nothing
    /// Whether the end was reached; no prompts follow.
    public var hasArrived = false
    /// Metres a second along the line, a running mean.
    public var speed: Double?
    /// The memory of the hidden Markov matcher.
    public var markov = MarkovMemory()

    /// Before the first fix.
    public init() {}

    /// Metres from the start along the line.
    public var along: Double { match?.along ?? 0 }
}
