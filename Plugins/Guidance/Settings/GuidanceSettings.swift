/// The settings of guidance in a session; the defaults are those of the app for settings that it has.
public struct GuidanceSettings: Sendable, Hashable {
    /// Distance from the line beyond which the walk is off route, metres.
    var offRoute = 50.0
    /// Distance from the line below which it is on route again, metres.
    var clear = 30.0
    /// Time beyond that distance after which the route counts as left, seconds.
    var offRouteFor = 8.0
    /// Time in the wrong direction before the warning, seconds.
    var wrongWayAfter = 30.0
    /// Distance at which a turn is announced.
    var approaching = PromptDistance.metres(100)
    /// Distance at which the turn is due.
    var atTurn = PromptDistance.metres(30)
    /// Distance past its point within which a turn is still announced, metres.
    var late = 15.0
    /// Remaining distance that counts as arrival, metres.
    var arrived = 30.0
    /// Distance before its point at which an instruction is completed, metres; 0 waits until the point is
    /// passed.
    var advance = 0.0
    /// The method that matches a position to the line.
    public var matcher = MatcherKind.belief
    /// Length of line searched behind the last match, metres.
    var windowBack = 50.0
    /// Length of line searched ahead of the last match, metres per `windowGap` between two fixes.
    var windowAhead = 150.0
    /// Cost of a metre along the line, relative to a metre of distance from it, when a match is chosen.
    var travelWeight = 0.2
    /// Maximum cost of going back, in metres of distance from the line.
    var backLimit = 15.0
    /// Fixes after which the hidden Markov matcher settles a match.
    var lag = 30
    /// Standard deviation of positions without an accuracy, metres.
    var sigma = 5.0
    /// Scale of the difference between distance along the line and straight distance, metres.
    var beta = 5.0
    /// The kind of new route planned off route.
    var reroute = RerouteMode.automatic
    /// Time off route before a new route is planned, seconds.
    var rerouteAfter = 10.0

    /// The defaults.
    public init() {}
}

/// Constants of guidance.
enum GuidanceLimits {
    /// Metres of a route that must be walked to arrive, wherever it is joined; at most a quarter of a short route.
    static let leastWalked = 60.0
    /// Metres of the plan between leaving and rejoining it that are said to be left out, even without turns.
    static let leftOut = 200.0
    /// The greatest speeds that are believed between two fixes, metres a second: a sprint, and a fast descent.
    static let fastestOnFoot = 7.0
    static let fastestRiding = 25.0
    /// The speeds that are kept up for some seconds, metres a second: a runner's, and a cyclist's.
    static let steadyOnFoot = 4.0
    static let steadyRiding = 12.0
    /// Metres that are excused as noise after a fix was set aside.
    static let strictNoise = 20.0
    /// Metres between two fixes that are believed at any speed, besides their noise.
    static let screenedNoise = 60.0
    /// Standard deviations of both fixes that count as noise.
    static let screenedDeviations = 3.0
    /// Fixes at the start that are all believed: after some wrong ones the first good one.
    static let unscreened = 6
    /// Fixes that agree among themselves and are set aside all the same.
    static let mostScreened = 12
    /// The multiple of the distance at which a turn is due within which it is said early, where the next fix comes after it.
    static let earlyAtTurn = 2.0
    /// Metres ahead of the farthest walk between two fixes that are a jump, and seconds for which one who stands hears nothing
    /// after it.
    static let jump = 20.0
    static let heldStanding = 20.0
    /// Seconds before a turn at which `turn left` still means this one.
    static let soon = 10.0
    /// The largest number of turns that are said after the next one in its prompt.
    static let mostChained = 3
    /// Seconds without a fix after which a walker at the same place has rested, or the clock was set.
    static let longGap = 600.0
    /// Segments longer than this, metres, are split along the great circle, so that each is nearly plane.
    static let longestSegment = 1000.0
    /// The interval between fixes, seconds, for which the window ahead is defined; it grows in proportion.
    static let windowGap = 10.0
    /// Two points of the line count as equally near within this, metres, when the whole line is searched.
    static let tie = 5.0
    /// Largest distance of an instruction's point from the line, metres; beyond it its distance from the start is used.
    static let instructionReach = 50.0
    /// The hidden Markov matcher considers points of the line within this multiple of the off-route distance.
    static let markovReach = 2.0
    /// The maximum number of points that the hidden Markov matcher considers.
    static let markovCandidates = 8
    /// The maximum penalty of the hidden Markov matcher for going back, as a logarithm.
    static let markovBack = 3.0
    /// The maximum penalty of the hidden Markov matcher for a start farther along, with the scale
    /// below.
    static let markovStart = 20.0
    /// Metres from the start that reduce the likelihood of a start there by a factor e.
    static let markovStartScale = 40.0
    /// The new speed's share in the running mean by which prompts are timed.
    static let speedShare = 0.2
    /// The default walking speed, metres a second.
    static let walkingSpeed = 1.3
    /// The default speed of riding, metres a second.
    static let ridingSpeed = 4.0
    /// The share of the route that must be walked to arrive, from where it was joined and without skipped
    /// parts.
    static let shareToArrive = 0.5
    /// The minimum metres of a closed route that must be walked to arrive, or a quarter of a short
    /// one.
    static let leastOnClosed = 150.0
    /// A closed route that is left before this many metres counts as not begun.
    static let begun = 120.0
    /// A short closed route that is left before this share of it counts as not begun.
    static let begunShare = 0.08
    /// Instructions this near the end, metres, are completed this far before it: there is no line beyond
    /// the end.
    static let nearEnd = 15.0
    /// The end itself is within this share of the distance of arrival.
    static let atEnd = 0.67
    /// The arrival is delayed by this multiple of the accuracy above the usual one.
    static let unsureDeviations = 4.0
    /// The share of the arrival distance at which even a delayed arrival is announced.
    static let leastArrived = 0.33
    /// Seconds without progress after which the walker counts as stopped.
    static let stopped = 10.0
    /// Then up to this multiple of the arrival distance may remain, all of it around the end.
    static let lastBend = 3.0
    /// The maximum distance walked between two fixes, relative to the estimates from speed and from
    /// distance.
    static let fasterThanExpected = 1.5
    /// The share of a leap that must be walked before the arrival, at most the distance of arrival.
    static let shareAfterLeap = 0.1
    /// Seconds after which a leap counts as confirmed.
    static let confirmedLeap = 20.0
    /// The fixes that must be off route before the route counts as left.
    static let leastOffRoute = 2
    /// The factor by which accuracy beyond 8 m widens the off-route threshold.
    static let marginDeviations = 3.0
    /// Metres in the wrong direction before the warning; more with noise.
    static let wrongWay = 15.0
    /// The maximum speed of standing, metres per second.
    static let standing = 0.3
    /// The maximum difference in degrees of a course along the line.
    static let alongCourse = 90.0
    /// Metres ahead of the point where the line is rejoined within which a turn may be taken already, the length of its legs
    /// that give their directions, metres, and the difference in degrees of a walker who goes along one.
    static let turnAtRejoin = 60.0
    static let legOfTurn = 15.0
    static let goesAlong = 30.0
    /// Metres walked back that count as turning round.
    static let turnedBack = 10.0
    /// Metres walked along the plan before one can have turned round on it.
    static let walkedToTurn = 30.0
    /// The minimum length of route skipped by turning round, metres.
    static let turnedSkip = 60.0
    /// The maximum distance between the way home and the way out, metres.
    static let turnedBeside = 25.0
    /// The standard deviations of a fix by which the way home may be nearer than the way out.
    static let turnedDeviations = 2.0
}

/// The methods that match a position to the line.
public enum MatcherKind: String, Sendable, Hashable, CaseIterable {
    /// The most likely position along the route by all fixes so far (`RouteBelief`).
    case belief
    /// The nearest point of the whole line.
    case nearest
    /// The best point near the last match; the whole line if that is off route.
    case window
    /// The most likely path through several candidates (Newson and Krumm 2009), by the Viterbi algorithm.
    case markov
    /// The app's guidance: the nearest point, instructions completed at 30 m.
    case app
}

/// The kind of new route planned off route.
enum RerouteMode: String, Sendable, Hashable, CaseIterable {
    /// `rejoin` for a bare line, such as a GPX file, and `destination` for a route that was planned.
    case automatic
    /// No new route.
    case off
    /// A way back to the route, and then along it.
    case rejoin
    /// A new route to the destination.
    case destination
}

/// When a prompt is due before a turn: a distance, or a time at the current speed.
enum PromptDistance: Sendable, Hashable {
    /// Metres along the line.
    case metres(Double)
    /// Seconds at the current speed.
    case seconds(Double)

    /// Metres along the line; a time is converted at walking speed if the speed is unknown.
    @inline(__always)
    func metres(atSpeed speed: Double?) -> Double {
        switch self {
        case .metres(let metres): metres
        case .seconds(let seconds): seconds * max(0, speed ?? GuidanceLimits.walkingSpeed)
        }
    }
}
