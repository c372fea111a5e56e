import CivilTime
import Geodesy

/// The state of guidance between two fixes.
public struct GuidanceState: Sendable, Hashable {
    /// The prompts of an instruction that were spoken.
    enum SpokenPrompts: UInt8, Sendable, Hashable {
        case nothing, approaching, atTurn
        /// Its point was passed.
        case done
    }

    /// The number of fixes so far.
    var fixes = 0
    /// The last fix that was not set aside.
    var last: PositionFix?
    /// Seconds between the last fix and the one before it.
    var lastGap = 0.0
    /// How often something can be said.
    var hearing = HearingPace()
    /// Instructions that were announced when nothing could be said again before their points.
    var lastChance: [Int] = []
    /// What was set aside since.
    var screen = FixScreen()
    /// The match on the line; `nil` before the first fix.
    var match: RouteMatch?
    /// The farthest point reached, metres from the start. A leap to another part of the line resets it.
    var furthest = 0.0
    /// Whether the route was left.
    var isOffRoute = false
    /// The time at which it was left.
    var offRouteSince: Timestamp?
    /// The farthest point reached when it was left, metres from the start.
    var leftAt: Double?
    /// The fixes beyond the threshold while the route does not count as left.
    var offRouteStreak: OffRouteStreak?
    /// The index of the next instruction in the route's stops; their count after the arrival.
    var next = 0
    /// The prompts spoken for each instruction.
    var given: [SpokenPrompts] = []
    /// Instructions whose point was passed before they could be announced, and that no event has said yet.
    var passed: [Int] = []
    /// When the match last moved ahead by more than anybody walks between two fixes.
    var jumpedAt: Timestamp?
    /// Metres of the plan that were certainly not walked before a leap, and that no event has said yet.
    var leftOut: Double?
    /// What was left out before the part that is walked backwards now; it is said once that is walked forwards.
    var leftOutBefore: LeftOutPart?
    /// Whether the walker has been on the route.
    var hasJoined = false
    /// A turn round that no event has said yet.
    var turn: TurnRound?
    /// What was spoken for instructions since the walker began to rest, by their indexes.
    var saidAtRest: [Int: SpokenPrompts] = [:]
    /// Whether the end was reached; no prompts follow.
    var hasArrived = false
    /// Metres a second along the line, a running mean.
    var speed: Double?
    /// The walked part of the route.
    var progress = RouteProgress()
    /// Whether the route is walked backwards.
    var heading = RouteHeading()
    /// The memory of the hidden Markov matcher.
    var markov = MarkovMemory()
    /// The positions along the route that may be the true one.
    var belief = RouteBelief()

    /// Before the first fix.
    public init() {}

    /// At the start of another route: the fixes continue.
    init(after previous: GuidanceState) {
        fixes = previous.fixes
        last = previous.last
        hearing = previous.hearing
    }

    /// Metres from the start along the line.
    public var along: Double { match?.along ?? 0 }

    /// A turn round: the farthest point before it, metres from the start, and whether the walker turned, not only came to the way
    /// home.
    struct TurnRound: Sendable, Hashable {
        var furthest: Double
        var hasTurned: Bool
    }

    /// A part of the plan that was not walked: where it begins, metres from the start, and its instructions.
    struct LeftOutPart: Sendable, Hashable {
        var begin: Double
        var stops: [Int]
    }

    /// Fixes beyond the off-route threshold, while there are too few of them.
    struct OffRouteStreak: Sendable, Hashable {
        /// The time of the first.
        var since: Timestamp
        /// Their number.
        var fixes: Int
    }
}

/// The walked part of a route, in order. Arrival requires most of it.
struct RouteProgress: Sendable, Hashable {
    /// Where the route was joined, metres from the start.
    var joined = 0.0
    /// Metres walked for the first time.
    var covered = 0.0
    /// The point that was certainly reached, metres from the start: where the line folds back, noise moves
    /// the match ahead by more than the possible distance. The arrival, which is final, is measured from
    /// here.
    var reached = 0.0
    /// Metres walked for the first time since the last leap; infinite without one.
    var sinceLeap = Double.infinity
    /// The length of that leap, metres, and its time.
    var leapt = 0.0
    var leaptAt: Timestamp?
    /// Metres skipped by shortcuts and by turning round early.
    var skipped = 0.0

    /// Starts where the route is joined. Near both ends of a closed route that is its start.
    mutating func join(_ match: RouteMatch, on geometry: RouteGeometry) {
        let isByStart = geometry.isClosed && geometry.length - match.along < BeliefSettings.closed
        joined = isByStart ? 0 : match.along
        reached = match.along
    }

    /// Applies a leap from the farthest point to another part of the line. Going back to the start of a
    /// closed route soon after starting resets the walked part instead of completing the route.
    mutating func leap(from furthest: Double, to along: Double, on geometry: RouteGeometry, _ time: Timestamp)
    {
        let begun = min(GuidanceLimits.begun, geometry.length * GuidanceLimits.begunShare)
        if geometry.isClosed, joined < BeliefSettings.closed, covered < begun { covered = 0 }
        skipped = max(0, skipped + along - furthest)
        sinceLeap = 0
        reached = along
        leapt = abs(along - furthest)
        leaptAt = time
    }

    /// Begins again where a walk against the plan ended.
    mutating func beginAgain(at along: Double) {
        self = RouteProgress()
        (joined, reached) = (along, along)
    }

    /// The metres that must be walked after the last leap to arrive; 0 once it is confirmed.
    func neededSinceLeap(_ arrived: Double, at time: Timestamp) -> Double {
        if let leaptAt, time.seconds(since: leaptAt) >= GuidanceLimits.confirmedLeap { return 0 }
        return min(arrived, leapt * GuidanceLimits.shareAfterLeap)
    }

    /// The metres that must be walked to arrive.
    func needed(on geometry: RouteGeometry) -> Double {
        let length = geometry.length
        let most = (length - joined - skipped) * GuidanceLimits.shareToArrive
        // Where it is joined at its end, half of the rest is nothing: standing there is no arrival.
        guard geometry.isClosed else { return max(most, min(GuidanceLimits.leastWalked, length / 4)) }
        return max(most, min(GuidanceLimits.leastOnClosed, length / 4))
    }
}

/// Detects whether the line is walked forwards or backwards, with a hysteresis in metres.
struct RouteHeading: Sendable, Hashable {
    /// Whether it is walked backwards.
    var isBack = false
    /// The farthest point since the direction changed, metres from the start, and when it was reached.
    var peak = 0.0
    var peakTime: Timestamp?

    /// Begins at a point.
    mutating func begin(_ along: Double, _ time: Timestamp?) {
        isBack = false
        peak = along
        peakTime = time
    }

    /// Updates with a position after the line has been walked backwards; returns whether it is walked forwards again.
    mutating func turnsForwards(_ along: Double, _ time: Timestamp, metres: Double) -> Bool {
        guard isBack else { return false }
        // `peak` is now the point nearest to the start.
        peak = min(peak, along)
        guard along - peak >= metres else { return false }
        begin(along, time)
        return true
    }

    /// Updates with a position; returns whether the line has been walked backwards for the given time and
    /// distance.
    mutating func turns(_ along: Double, _ time: Timestamp, metres: Double, seconds: Double) -> Bool {
        if isBack { return false }
        guard along < peak, let since = peakTime else {
            peak = along
            peakTime = time
            return false
        }
        return peak - along >= metres && time.seconds(since: since) >= seconds
    }

    /// Backwards from now on.
    mutating func turnBack(_ along: Double) {
        isBack = true
        peak = along
    }
}
