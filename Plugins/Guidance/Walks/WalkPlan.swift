import PluginKit

/// How a walk along a route is simulated.
public struct WalkPlan: Sendable, Hashable {
    /// How fast one walks.
    public enum Pace: Sendable, Hashable {
        /// Metres a second.
        case steady(Double)
        /// By the slope, after Tobler.
        case tobler
    }

    /// A way round, away from the route.
    public struct Detour: Sendable, Hashable {
        /// Metres from the start at which the route is left.
        public var at: Double
        /// Metres to the right, or with a minus to the left.
        public var offset: Double
        /// Metres farther along the route at which one comes back.
        public var length: Double

        /// A detour.
        public init(at: Double, offset: Double, length: Double) {
            self.at = at
            self.offset = offset
            self.length = length
        }
    }

    /// A rest.
    public struct Pause: Sendable, Hashable {
        /// Metres from the start.
        public var at: Double
        /// Seconds.
        public var seconds: Double

        /// A rest.
        public init(at: Double, seconds: Double) {
            self.at = at
            self.seconds = seconds
        }
    }

    /// How fast.
    public var pace = Pace.steady(GuidanceLimits.walkingSpeed)
    /// Seconds between two fixes.
    public var interval = 1.0
    /// Standard deviation of the noise on each axis, metres; 0 for none.
    public var noise = 0.0
    /// Time constant of the noise, seconds.
    public var timeConstant = WalkSettings.timeConstant
    /// The share of fixes that are lost.
    public var dropout = 0.0
    /// Ways round, in order.
    public var detours: [Detour] = []
    /// Rests, in order.
    public var pauses: [Pause] = []

    /// A steady walk without noise.
    public init() {}
}

/// What simulated walks take for granted.
public enum WalkSettings {
    /// Time constant of a receiver's noise, seconds.
    public static let timeConstant = 20.0
    /// The slope is taken over this many metres.
    static let slopeLength = 50.0
    /// Speed is taken anew after this many seconds.
    static let step = 1.0
    /// More fixes than this are no walk.
    static let mostFixes = 500_000
    /// Fixes between two looks at cancellation.
    static let checkInterval = 256
    /// A new route is asked for at most so many times in one walk.
    static let mostReroutes = 20
}
