import CivilTime
import Geodesy

/// The state of guidance between two fixes.
public struct GuidanceState: Sendable, Hashable {
    /// The prompts of an instruction that were spoken.
    public enum Given: UInt8, Sendable, Hashable {
        case nothing, approaching, atTurn
        /// Its point was passed.
        case done
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
    /// Since when fixes are beyond the threshold without the line counting as left.
    public var doubt: Doubt?
    /// The index of the next instruction in the route's stops; their count after the arrival.
    public var next = 0
    /// The prompts spoken for each instruction.
    public var given: [Given] = []
    /// Whether the end was reached; no prompts follow.
    public var hasArrived = false
    /// Metres a second along the line, a running mean.
    public var speed: Double?
    /// How much of the route was walked.
    public var progress = RouteProgress()
    /// Whether the route is walked backwards.
    public var heading = RouteHeading()
    /// The memory of the hidden Markov matcher.
    public var markov = MarkovMemory()
    /// Where along the route one may be.
    public var belief = RouteBelief()

    /// Before the first fix.
    public init() {}

    /// Metres from the start along the line.
    public var along: Double { match?.along ?? 0 }

    /// Fixes beyond the off-route threshold, not yet enough of them.
    public struct Doubt: Sendable, Hashable {
        /// The time of the first.
        public var since: Timestamp
        /// Their number.
        public var fixes: Int
    }
}

/// How much of a route was walked, in order. Arrival requires most of it.
public struct RouteProgress: Sendable, Hashable {
    /// Where the route was joined, metres from the start.
    public var joined = 0.0
    /// Metres walked that were not walked before.
    public var covered = 0.0
    /// The point that is surely reached, metres from the start: where the line folds on itself noise moves the match ahead
    /// by more than anyone walks between two fixes. An arrival, which cannot be taken back, is measured here.
    var reached = 0.0
    /// Those of them after the last leap; infinite without one.
    public var sinceLeap = Double.infinity
    /// The length of that leap, metres, and its time.
    var leapt = 0.0
    var leaptAt: Timestamp?
    /// Metres left out by shortcuts and by turning round early.
    public var skipped = 0.0

    /// Begins where the route is joined. Near both ends of a closed route that is its start.
    mutating func join(_ match: RouteMatch, on geometry: RouteGeometry) {
        let isByStart = geometry.isClosed && geometry.length - match.along < BeliefSettings.closed
        joined = isByStart ? 0 : match.along
        reached = match.along
    }

    /// A leap from the farthest point to another part of the line. Who goes back to the start of a closed route having
    /// hardly begun it has walked nothing of it, rather than to its end.
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

    /// The metres that must be walked after the last leap to arrive; none once it has held for some time.
    func neededSinceLeap(_ arrived: Double, at time: Timestamp) -> Double {
        if let leaptAt, time.seconds(since: leaptAt) >= GuidanceLimits.heldLeap { return 0 }
        return min(arrived, leapt * GuidanceLimits.shareAfterLeap)
    }

    /// The metres that must be walked to arrive.
    func needed(on geometry: RouteGeometry) -> Double {
        let length = geometry.length
        let most = (length - joined - skipped) * GuidanceLimits.shareToArrive
        guard geometry.isClosed else { return most }
        return max(most, min(GuidanceLimits.leastOnClosed, length / 4))
    }
}

/// Whether the line is walked forwards or backwards: its direction changes after so many metres.
public struct RouteHeading: Sendable, Hashable {
    /// Whether it is walked backwards.
    public var isBack = false
    /// The farthest point since the direction changed, metres from the start, and when it was reached.
    var peak = 0.0
    var peakTime: Timestamp?

    /// Begins at a point.
    mutating func begin(_ along: Double, _ time: Timestamp?) {
        isBack = false
        peak = along
        peakTime = time
    }

    /// Takes in a position; whether the line has now been walked backwards for so long and so far.
    mutating func turns(_ along: Double, _ time: Timestamp, metres: Double, seconds: Double) -> Bool {
        if isBack {
            // `peak` is the nearest point to the start now.
            peak = min(peak, along)
            if along - peak >= metres { begin(along, time) }
            return false
        }
        guard along < peak, let since = peakTime else {
            peak = along
            peakTime = time
            return false
        }
        return peak - along >= metres && time.seconds(since: since) >= seconds
    }

    /// Walked backwards from now on.
    mutating func turnBack(_ along: Double) {
        isBack = true
        peak = along
    }
}
