import CivilTime
import Geodesy

/// Where guidance stands between two fixes; all that it remembers.
public struct GuidanceState: Sendable, Hashable {
    /// The prompts of the next instruction that have been given.
    public enum Given: Int, Sendable, Hashable {
        case nothing, approaching, atTurn
    }

    /// Fixes taken so far.
    public var fixes = 0
    /// The last fix.
    public var last: PositionFix?
    /// The place on the line; `nil` before the first fix.
    public var match: RouteMatch?
    /// The farthest place reached, metres from the start. A leap to another part of the line begins anew.
    public var furthest = 0.0
    /// Whether the line was left.
    public var isOffRoute = false
    /// When it was left.
    public var offRouteSince: Timestamp?
    /// The next instruction, by its place in the route's stops; as many as there are stops after the arrival.
    public var next = 0
    /// What was said of it.
    public var given = Given.nothing
    /// Whether the end was reached; nothing is said after it.
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
