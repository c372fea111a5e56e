import PluginKit

/// The parameters of a simulated walk.
public struct WalkPlan: Sendable, Hashable {
    /// The walking speed.
    enum Pace: Sendable, Hashable {
        /// Constant, metres a second.
        case steady(Double)
        /// By the slope, after Tobler.
        case tobler
    }

    /// A detour away from the route.
    struct Detour: Sendable, Hashable {
        /// Distance from the start at which the route is left, metres.
        var at: Double
        /// Offset to the right, metres; negative to the left.
        var offset: Double
        /// Distance along the route from leaving to return, metres.
        var length: Double

        /// A detour.
        init(at: Double, offset: Double, length: Double) {
            self.at = at
            self.offset = offset
            self.length = length
        }
    }

    /// A pause.
    struct Pause: Sendable, Hashable {
        /// Distance from the start, metres.
        var at: Double
        /// Duration, seconds.
        var seconds: Double

        /// A pause.
        init(at: Double, seconds: Double) {
            self.at = at
            self.seconds = seconds
        }
    }

    /// The walking speed.
    var pace = Pace.steady(GuidanceLimits.walkingSpeed)
    /// Seconds between two fixes.
    public var interval = 1.0
    /// Standard deviation of the noise on each axis, metres; 0 for none.
    public var noise = 0.0
    /// Time constant of the noise, seconds.
    var timeConstant = WalkSettings.timeConstant
    /// The share of fixes that are lost.
    var dropout = 0.0
    /// A walk that is difficult to match; excludes detours.
    public var scenario: WalkScenario?
    /// Detours, in order.
    var detours: [Detour] = []
    /// Pauses, in order.
    var pauses: [Pause] = []
    /// Seconds of standing at the end.
    public var stand = 0.0

    /// A steady walk without noise.
    public init() {}
}

/// Constants of simulated walks.
enum WalkSettings {
    /// Time constant of a receiver's noise, seconds.
    static let timeConstant = 20.0
    /// Distance over which the slope is measured, metres.
    static let slopeLength = 50.0
    /// Distance in which an uneven pace is slower and faster once, metres.
    static let swingLength = 270.0
    /// Interval at which speed is recomputed, seconds.
    static let step = 1.0
    /// The largest number of fixes of a walk.
    static let mostFixes = 500_000
    /// Fixes between two checks for cancellation.
    static let checkInterval = 256
    /// The shortest time between two new routes, seconds.
    static let betweenReroutes = 30.0
    /// After a failure the time until the next attempt doubles, at most to this, seconds.
    static let longestWait = 600.0
    /// The maximum length of rejoining relative to a new route.
    static let nearlyAsShort = 1.1
    /// The bearings of the turn onto the old line are measured over this distance, metres.
    static let turnReach = 15.0
    /// The largest number of reroutes of a walk.
    static let mostReroutes = 20
}
