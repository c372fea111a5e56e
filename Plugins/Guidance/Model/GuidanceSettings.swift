/// The numbers of guidance that a session can set, with the values of the app where it has them.
public struct GuidanceSettings: Sendable, Hashable {
    /// Off route when farther than this from the line, metres.
    public var offRoute = 50.0
    /// On route again when nearer than this to the line, metres.
    public var clear = 30.0
    /// How near a turn is when it is announced.
    public var approaching = PromptDistance.metres(100)
    /// How near a turn is when one is told to take it.
    public var atTurn = PromptDistance.metres(30)
    /// Arrived when no more than this is left of the route, metres.
    public var arrived = 30.0
    /// An instruction is done when its point is this near, metres; 0 waits until the point is passed.
    public var advance = 0.0
    /// How a position is put on the line.
    public var matcher = MatcherKind.window
    /// How far before the last position the line is searched, metres.
    public var windowBack = 50.0
    /// How far ahead of the last position the line is searched, metres for each `windowGap` between two fixes.
    public var windowAhead = 150.0
    /// What a metre along the line counts against a metre beside it, when a place of the line is chosen.
    public var travelWeight = 0.2
    /// What going back counts at most, in metres beside the line.
    public var backLimit = 15.0
    /// Fixes after which the hidden Markov matcher no longer changes its mind.
    public var lag = 30
    /// Standard deviation of positions that tell no accuracy, metres.
    public var sigma = 5.0
    /// Scale of the difference between the way along the line and the straight way, metres.
    public var beta = 5.0
    /// What is planned when one has left the route.
    public var reroute = RerouteMode.automatic
    /// How long one must be off route before anything is planned, seconds.
    public var rerouteAfter = 10.0

    /// The defaults.
    public init() {}
}

/// Numbers of guidance that are not set in a session.
public enum GuidanceLimits {
    /// Pieces of the line longer than this, metres, are cut along the great circle, so that a plane fits each.
    public static let longestSegment = 1000.0
    /// The window ahead is meant for fixes this many seconds apart, and grows in proportion.
    public static let windowGap = 10.0
    /// Two places of the line are equally near within this many metres, when the whole line is searched.
    public static let tie = 5.0
    /// How far beside the line the point of an instruction may lie, metres; else its distance from the start counts.
    public static let instructionReach = 50.0
    /// The hidden Markov matcher looks at places of the line within this many times the off-route distance, …
    public static let markovReach = 2.0
    /// … at no more than so many of them, …
    public static let markovCandidates = 8
    /// … and holds going back against a place by no more than this, as a logarithm.
    public static let markovBack = 3.0
    /// … and beginning farther on by no more than this, which is reached in steps of so many metres.
    public static let markovStart = 20.0
    /// Metres from the start that make beginning there less likely by a factor e.
    public static let markovStartScale = 40.0
    /// The new speed's share in the running mean by which prompts are timed.
    public static let speedShare = 0.2
    /// Metres a second of walkers of whom nothing else is known.
    public static let walkingSpeed = 1.3
}

/// How a position is put on the line of the route.
public enum MatcherKind: String, Sendable, Hashable, CaseIterable {
    /// The nearest point of the whole line.
    case nearest
    /// The best point near the last one; the whole line where that is off route.
    case window
    /// The most likely path through several candidates (Newson and Krumm 2009), by the Viterbi algorithm.
    case markov
}

/// What is planned when one has left the route.
public enum RerouteMode: String, Sendable, Hashable, CaseIterable {
    /// `rejoin` for a bare line, such as a GPX file, and `destination` for a route that was planned.
    case automatic
    /// Nothing.
    case off
    /// A way back to the route, and then along it.
    case rejoin
    /// A new route to the destination.
    case destination
}

/// How near a turn is when a prompt is given: a distance, or a time at the present speed.
public enum PromptDistance: Sendable, Hashable {
    /// Metres along the line.
    case metres(Double)
    /// Seconds at the present speed.
    case seconds(Double)

    /// Metres along the line; a time is one at walking speed where the speed is not known.
    @inline(__always)
    public func metres(atSpeed speed: Double?) -> Double {
        switch self {
        case .metres(let metres): metres
        case .seconds(let seconds): seconds * max(0, speed ?? GuidanceLimits.walkingSpeed)
        }
    }
}
