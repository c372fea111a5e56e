import CivilTime
import Foundation
import Geodesy
import PluginKit

/// Where along the route one may be: a few positions, each with the evidence against it.
///
/// Each hypothesis is followed on its own part of the line. What speaks against it is a sum of costs, logarithms of
/// likelihoods: distance from the line measured by the accuracy, a jump that no walk explains, and lying behind its
/// farthest point. The evidence of a fix counts as much as its time since the last one allows, because the noise of
/// receivers is correlated.
public struct RouteBelief: Sendable, Hashable {
    /// A position along the route that explains the fixes so far.
    struct Hypothesis: Sendable, Hashable {
        /// The match of the last fix.
        var match: RouteMatch
        /// Where it began, and its farthest point, metres from the start.
        var began: Double
        var furthest: Double
        /// The point farthest back since then.
        var lowest: Double
        /// When the farthest point was reached.
        var furthestTime: Timestamp
        /// The evidence against it without its position behind the farthest point; the best has 0.
        var cost: Double
        /// The fixes that it has explained.
        var fixes = 1
        /// Variance of `match.along` where it is predicted rather than measured, square metres.
        var variance = 0.0
        /// How many of the last fixes were set aside as outliers along the line.
        var setAside = 0

        /// Metres behind its farthest point.
        var back: Double { furthest - match.along }

        /// All that speaks against it, with noise of a standard deviation in metres.
        @inline(__always)
        func total(_ sigma: Double) -> Double { cost + BeliefCosts.back(back, sigma) }

        /// Whether it has been walked forwards since it began.
        func isWalked(_ sigma: Double) -> Bool {
            fixes > 1 && match.along - began >= BeliefSettings.walked && back < BeliefCosts.deadBand(sigma)
        }
    }

    /// The hypotheses; the first is the one that is followed.
    var hypotheses: [Hypothesis] = []
    /// The last hypothesis that was followed over some length and left: the plan may go on from there.
    var left: Hypothesis?
    /// Metres a second along the line, a slow mean; `nil` before it is known.
    var speed: Double?
    /// The mean position of the last half minute.
    var center: Coordinate?
    /// How far from it the last fix is: 1 for someone who walks, near 0 for someone who stands.
    var motion = 1.0

    /// Before the first fix.
    public init() {}

    /// How much fixes count for someone who stands or walks, 0…1.
    var weight: Double { max(BeliefSettings.stillWeight, min(1, motion)) }

    /// Moves the mean position to a fix.
    mutating func measureMotion(_ place: Coordinate, after gap: Double, sigma: Double) {
        guard let last = center else {
            center = place.withoutAltitude
            return
        }
        let share = min(1, gap / BeliefSettings.centerTime)
        let east = Angle.difference(from: last.longitude, to: place.longitude)
        let now = Coordinate(
            latitude: last.latitude + share * (place.latitude - last.latitude),
            longitude: Angle.longitude(last.longitude + share * east))
        center = now
        let y = (place.latitude - last.latitude) * RouteGeometry.metresPerDegree
        let x = east * RouteGeometry.metresPerDegree * cos(place.latitude.radians)
        motion = (x * x + y * y) / pow2(BeliefSettings.still + min(BeliefSettings.still, 2 * sigma))
    }

    private func pow2(_ value: Double) -> Double { value * value }

    /// A position along the route, and how sure it is.
    public struct Place: Sendable, Hashable {
        /// Metres from the start.
        public var along: Double
        /// Metres from the last fix.
        public var distance: Double
        /// The probability, 0…1.
        public var share: Double
    }

    /// The positions with their probabilities, which sum to 1; the one that is followed first.
    public func places(sigma: Double) -> [Place] {
        guard let least = hypotheses.map({ $0.total(sigma) }).min() else { return [] }
        let weights = hypotheses.map { BeliefCosts.likelihood($0.total(sigma) - least) }
        let sum = weights.reduce(0, +)
        return zip(hypotheses, weights).map {
            Place(along: $0.match.along, distance: $0.match.distance, share: $1 / sum)
        }
    }
}

/// Constants of the belief along the route. Costs are logarithms of likelihoods.
enum BeliefSettings {
    /// The largest number of hypotheses.
    static let most = 8
    /// A hypothesis that costs so much more than the best is dropped.
    static let hopeless = 25.0
    /// By how much another hypothesis must be better to be followed, one near along the line or one far, …
    static let margin = 2.0
    static let farMargin = 6.0
    /// … and the fixes it must have explained by then.
    static let leastFixes = 2
    /// Who joins the route is on the first of the passes that are worse than the best by less than this.
    static let alike = 3.0
    /// Cost of a jump: of a short one, and what is added for a long one, and the length that makes it long, metres.
    static let jump = 2.0
    static let longJump = 7.0
    static let jumpLength = 300.0
    /// What a jump back costs more than one ahead.
    static let jumpBack = 4.0
    /// Costs of lying behind the farthest point: once, per metre, at most.
    static let back = 3.0
    static let backRate = 0.2
    static let mostBack = 10.0
    /// A hypothesis that is not followed and lies farther behind its farthest point, metres, is dropped: nobody walks a
    /// route backwards so far.
    static let mostBehind = 120.0
    /// Metres walked forwards again after which going back before counts no longer.
    static let forwards = 25.0
    /// Metres behind the farthest point that noise explains.
    static let deadBand = 15.0
    /// Moving against the line by more than this, degrees, costs so much a second.
    static let against = 120.0
    static let againstRate = 0.15
    /// Cost of starting elsewhere than at the start: per metre, and at most.
    static let startRate = 0.02
    static let mostStart = 6.0
    /// From this many standard deviations on, the cost of a distance grows in proportion to it: receivers have outliers.
    static let knee = 3.0
    /// The largest cost of a single fix: it can be wrong.
    static let mostOfFix = 20.0
    /// Other parts of the line are looked for when the match is farther than this from the fix, in metres and in standard deviations, …
    static let gate = 15.0
    static let gateSigmas = 3.0
    /// … after a gap longer than this, seconds, …
    static let gap = 15.0
    /// … within this radius, metres, and at most that.
    static let reach = 40.0
    static let mostReach = 150.0
    /// Hypotheses nearer to each other than this along the line, metres, are one.
    static let same = 12.0
    /// A hypothesis that was followed so far, metres, is kept in mind when it is left, until another was followed so far.
    static let remembered = 60.0
    static let forgotten = 500.0
    /// Metres walked forwards that show in which direction a hypothesis goes.
    static let walked = 10.0
    /// Length of line searched behind a match and ahead of it, metres, more with noise.
    static let window = 20.0
    /// A match so far from the expected one, metres and standard deviations, is set aside: once, or so often in turn where
    /// the expected place explains the fix, too.
    static let innovation = 15.0
    static let mostSetAside = 10
    /// Fixes up to this many seconds apart are checked for outliers along the line.
    static let outlierGap = 5.0
    /// Above this accuracy, metres, the position along the line is predicted by the speed and corrected by the fixes.
    /// Below it the noise, which is correlated, is not reduced by averaging over times in which a speed is constant.
    static let predicted = 8.0
    /// Variance of the distance walked in a second at a known speed, square metres.
    static let walkVariance = 1.0
    /// Time constant of the mean speed, seconds.
    static let speedTime = 60.0
    /// Time constant of the mean position, seconds; who is nearer to it than this, metres and standard deviations,
    /// stands. The fixes of someone who stands all have the same error, so that they count little.
    static let centerTime = 30.0
    static let still = 20.0
    static let stillWeight = 0.1
    /// Who is farther from it than this share, squared, walks.
    static let moving = 0.35
    /// A route whose ends are nearer to each other than this, metres, is closed.
    static let closed = 100.0
    /// Metres from the end of a closed route within which its start follows for someone who has not walked it.
    static let entry = 30.0
}

/// The costs of hypotheses.
enum BeliefCosts {
    /// The likelihood of a cost.
    static func likelihood(_ cost: Double) -> Double { exp(-cost) }

    /// The cost of lying behind the farthest point.
    @inline(__always)
    static func back(_ metres: Double, _ sigma: Double) -> Double {
        let beyond = metres - deadBand(sigma)
        guard beyond > 0 else { return 0 }
        return min(BeliefSettings.mostBack, BeliefSettings.back + BeliefSettings.backRate * beyond)
    }

    /// Metres behind the farthest point that noise explains.
    @inline(__always)
    static func deadBand(_ sigma: Double) -> Double { max(BeliefSettings.deadBand, 3 * sigma) }

    /// The cost of a fix at a distance from the line, with the weight of its time. Gaussian near, linear far.
    @inline(__always)
    static func emission(_ distance: Double, sigma: Double, weight: Double) -> Double {
        let deviations = distance / sigma
        let knee = BeliefSettings.knee
        let cost =
            deviations <= knee ? deviations * deviations / 2 : knee * deviations - knee * knee / 2
        return min(BeliefSettings.mostOfFix, weight * cost)
    }

    /// The cost of a jump along the line.
    static func jump(_ metres: Double) -> Double {
        let length = 1 - exp(-abs(metres) / BeliefSettings.jumpLength)
        return BeliefSettings.jump + BeliefSettings.longJump * length
            + (metres < 0 ? BeliefSettings.jumpBack : 0)
    }

    /// The cost of a distance along the line where so much was expected; it may have been walked, or be a jump.
    static func transition(_ metres: Double, expected: Double, sigma: Double) -> Double {
        let jump = jump(metres)
        guard metres > -deadBand(sigma) else { return jump }
        let deviations = (metres - expected) / (expected / 2 + 2 * sigma)
        return min(jump, deviations * deviations / 2)
    }

    /// The cost of starting at a distance from the start.
    static func start(_ along: Double) -> Double {
        min(BeliefSettings.mostStart, BeliefSettings.startRate * along)
    }
}
