import CivilTime
import Foundation
import Geodesy
import PluginKit

/// The belief about the position along the route: a few hypotheses, each with the evidence against it.
///
/// Each hypothesis is tracked on its own part of the line. The evidence against it is a sum of costs,
/// negative logarithms of likelihoods: distance from the line relative to the accuracy, a jump that walking
/// cannot explain, and being behind its farthest point. The weight of a fix depends on the time since the
/// last one, because the noise of receivers is correlated.
struct RouteBelief: Sendable, Hashable {
    /// A position along the route that explains the fixes so far.
    struct Hypothesis: Sendable, Hashable {
        /// The match of the last fix.
        var match: RouteMatch
        /// Where it started, and its farthest point, metres from the start.
        var began: Double
        var furthest: Double
        /// The rearmost point since then.
        var lowest: Double
        /// When the farthest point was reached.
        var furthestTime: Timestamp
        /// The evidence against it without the cost of being behind the farthest point; the best has 0.
        var cost: Double
        /// The number of fixes that it has explained.
        var fixes = 1
        /// Variance of `match.along` if it is predicted instead of measured, square metres.
        var variance = 0.0
        /// The number of recent fixes ignored as outliers along the line.
        var setAside = 0

        /// Metres behind its farthest point.
        var back: Double { furthest - match.along }

        /// The total cost, with noise of a standard deviation in metres.
        @inline(__always)
        func total(_ sigma: Double) -> Double { cost + BeliefCosts.back(back, sigma) }

        /// Whether it has been walked forwards since it started.
        func isWalked(_ sigma: Double) -> Bool {
            fixes > 1 && match.along - began >= BeliefSettings.walked && back < BeliefCosts.deadBand(sigma)
        }
    }

    /// The hypotheses; the first is followed.
    var hypotheses: [Hypothesis] = []
    /// The last hypothesis that was followed for some length and left: the plan may continue from there.
    var left: Hypothesis?
    /// Metres a second along the line, a slow mean; `nil` before it is known.
    var speed: Double?
    /// The mean position of the last half minute.
    var center: Coordinate?
    /// The distance of the last fix from it as a ratio: 1 when walking, near 0 when standing.
    var motion = 1.0

    /// The place of a stay, a slow mean that drifts as little as the receiver does on average; `nil` while walking.
    private(set) var stay: Coordinate?
    /// Seconds for which the walker has hardly moved.
    private var still = 0.0
    /// Seconds for which the walker has moved without a pause.
    private(set) var moved = 0.0

    /// The mean square of the distances from the line, square metres: how far the receiver strays, whatever it reports.
    private var straying = 0.0

    /// Before the first fix.
    init() {}

    /// The standard deviation in metres that the distances from the line show, at most 20: those of a walker beside the line
    /// are no noise.
    var strayed: Double {
        min(
            BeliefSettings.mostStrayed,
            max(0, BeliefSettings.strayedFactor * straying.squareRoot() - BeliefSettings.usualStraying))
    }

    /// Updates how far the receiver strays with the distance of a match.
    mutating func measureStraying(_ distance: Double, after gap: Double) {
        straying += min(1, gap / BeliefSettings.centerTime) * (distance * distance - straying)
    }

    /// The weight of fixes for standing or walking, 0…1.
    var weight: Double { max(BeliefSettings.stillWeight, min(1, motion)) }

    /// Updates the mean position with a fix.
    mutating func measureMotion(_ coordinate: Coordinate, after gap: Double, sigma: Double) {
        guard var center else {
            self.center = coordinate.withoutAltitude
            return
        }
        let square = Self.move(&center, towards: coordinate, by: min(1, gap / BeliefSettings.centerTime))
        self.center = center
        motion = square / pow2(BeliefSettings.still + min(BeliefSettings.still, 2 * sigma))
        if motion < BeliefSettings.moving {
            (still, moved) = (still + gap, 0)
        } else {
            (still, moved) = (max(0, still - BeliefSettings.movement * gap), moved + gap)
        }
        measureStay(coordinate, after: gap, around: center)
    }

    /// A stay begins after some time without movement, and ends away from its place.
    private mutating func measureStay(_ coordinate: Coordinate, after gap: Double, around center: Coordinate)
    {
        guard var stay else {
            if still >= BeliefSettings.settled { self.stay = center }
            return
        }
        let square = Self.move(&stay, towards: coordinate, by: min(1, gap / BeliefSettings.stayTime))
        // One fix may stray as far; the mean of half a minute does not.
        let hasLeft =
            square >= pow2(BeliefSettings.stayRadius)
            && center.distance(to: stay) >= BeliefSettings.leftRadius
        self.stay = hasLeft ? nil : stay
        if hasLeft { still = 0 }
    }

    /// Moves a mean position by a share towards a coordinate; returns the square of their distance before, square metres.
    @inline(__always)
    private static func move(_ mean: inout Coordinate, towards coordinate: Coordinate, by share: Double)
        -> Double
    {
        let north = coordinate.latitude - mean.latitude
        let east = Angle.difference(from: mean.longitude, to: coordinate.longitude)
        mean = Coordinate(
            latitude: mean.latitude + share * north, longitude: Angle.longitude(mean.longitude + share * east)
        )
        let y = north * LocalPlane.metresPerDegree
        let x = east * LocalPlane.metresPerDegree * cos(coordinate.latitude.radians)
        return x * x + y * y
    }

    private func pow2(_ value: Double) -> Double { value * value }

    /// A position along the route and its probability.
    struct Position: Sendable, Hashable {
        /// Metres from the start.
        var along: Double
        /// Metres from the last fix.
        var distance: Double
        /// The probability, 0…1.
        var share: Double
    }

    /// The positions with their probabilities, which sum to 1; the followed one first.
    func positions(sigma: Double) -> [Position] {
        guard let least = hypotheses.map({ $0.total(sigma) }).min() else { return [] }
        let weights = hypotheses.map { BeliefCosts.likelihood($0.total(sigma) - least) }
        let sum = weights.reduce(0, +)
        return zip(hypotheses, weights).map {
            Position(along: $0.match.along, distance: $0.match.distance, share: $1 / sum)
        }
    }
}

/// Constants of the belief along the route. Costs are negative logarithms of likelihoods.
enum BeliefSettings {
    /// The largest number of hypotheses.
    static let most = 8
    /// A hypothesis with a cost higher than the best by this is dropped.
    static let hopeless = 25.0
    /// The advantage that another hypothesis needs to be followed, for one near along the line and one far.
    static let margin = 2.0
    static let farMargin = 6.0
    /// The fixes that another hypothesis must have explained to be followed.
    static let leastFixes = 2
    /// At the start, passes with a cost higher than the best by less than this are considered, and the
    /// first is followed.
    static let alike = 3.0
    /// Cost of a jump: of a short one, the addition for a long one, and the length that makes it long,
    /// metres.
    static let jump = 2.0
    static let longJump = 7.0
    static let jumpLength = 300.0
    /// The additional cost of a jump back.
    static let jumpBack = 4.0
    /// Costs of being behind the farthest point: once, per metre, and the maximum.
    static let back = 3.0
    static let backRate = 0.2
    static let mostBack = 10.0
    /// The maximum cost of a match behind the farthest point, in metres of distance from the line; below it a metre for each metre. So
    /// noise does not take one who has come round the tip of a hairpin back to the leg before. Less accurate fixes are corrected
    /// by the speed instead.
    static let behind = 8.0
    /// A hypothesis that is not followed and is farther behind its farthest point, metres, is dropped:
    /// nobody walks a route backwards that far.
    static let mostBehind = 120.0
    /// Metres walked forwards after which earlier going back is forgiven.
    static let forwards = 25.0
    /// Metres behind the farthest point that noise explains.
    static let deadBand = 15.0
    /// Movement against the line by more than this, degrees, has this cost per second.
    static let against = 120.0
    static let againstRate = 0.15
    /// Cost of starting away from the start: per metre, and the maximum.
    static let startRate = 0.02
    static let mostStart = 6.0
    /// Standard deviations from which the cost of a distance grows linearly: receivers have outliers.
    static let knee = 3.0
    /// The maximum cost of a single fix, which can be wrong.
    static let mostOfFix = 20.0
    /// Other parts of the line are searched if the match is farther than this from the fix, in metres and
    /// in standard deviations.
    static let gate = 15.0
    static let gateSigmas = 3.0
    /// Other parts of the line are also searched after a gap longer than this, seconds.
    static let gap = 15.0
    /// The radius of that search, metres, and its maximum.
    static let reach = 40.0
    static let mostReach = 150.0
    /// Hypotheses nearer than this along the line, metres, are merged.
    static let same = 12.0
    /// A hypothesis that was followed for this length, metres, is remembered when it is left, until another
    /// was followed as far.
    static let remembered = 60.0
    static let forgotten = 500.0
    /// Metres walked forwards that determine the direction of a hypothesis.
    static let walked = 10.0
    /// Length of line searched behind a match and ahead of it, metres, more with noise.
    static let window = 20.0
    /// A match this far from the expected one, metres and standard deviations, is ignored: once, or this
    /// many times in a row if the expected position also explains the fix.
    static let innovation = 15.0
    static let mostSetAside = 10
    /// Fixes up to this many seconds apart are checked for outliers along the line.
    static let outlierGap = 5.0
    /// Above this accuracy, metres, the position along the line is predicted by the speed and corrected by
    /// the fixes. Below it the noise, which is correlated, is not reduced by averaging over times with a
    /// constant speed.
    static let predicted = 8.0
    /// Variance of the distance walked in a second at a known speed, square metres.
    static let walkVariance = 1.0
    /// Time constant of the mean speed, seconds.
    static let speedTime = 60.0
    /// Time constant of the mean position, seconds; a position nearer to it than this, metres and standard
    /// deviations, is standing. The fixes while standing share the same error, so they have little weight.
    static let centerTime = 30.0
    static let still = 20.0
    static let stillWeight = 0.1
    /// Time constant of the mean position of a stay, seconds, and how far from it, metres, the receiver of a walker who
    /// rests drifts, as under trees.
    static let stayTime = 120.0
    static let stayRadius = 50.0
    /// Metres from that place of the mean position of someone who has left.
    static let leftRadius = 35.0
    /// The share of seconds of movement that count against a stay that may have begun: a drifting receiver moves at times.
    static let movement = 0.5
    /// The standard deviation that distances from the line show is their root mean square times this, less this many metres,
    /// which leaves the usual noise as it is; and its maximum.
    static let strayedFactor = 1.5
    static let usualStraying = 3.0
    static let mostStrayed = 20.0
    /// Seconds without movement after which a stay begins; who turns round on the line seems to stand for less.
    static let settled = 40.0
    /// Seconds of movement that are no drift, where the receiver reports no speed, and those before a warning: the way home
    /// explains the movement otherwise.
    static let sustained = 8.0
    static let sustainedToWarn = 15.0
    /// The share, squared, of the expected distance above which the walker moves.
    static let moving = 0.35
    /// A route whose ends are nearer than this, metres, is closed.
    static let closed = 100.0
    /// Metres from the end of a closed route within which a walker who has not walked it is placed at its
    /// start.
    static let entry = 30.0
}

/// The costs of hypotheses.
enum BeliefCosts {
    /// The likelihood of a cost.
    static func likelihood(_ cost: Double) -> Double { exp(-cost) }

    /// The cost of being behind the farthest point.
    @inline(__always)
    static func back(_ metres: Double, _ sigma: Double) -> Double {
        let beyond = metres - deadBand(sigma)
        guard beyond > 0 else { return 0 }
        return min(BeliefSettings.mostBack, BeliefSettings.back + BeliefSettings.backRate * beyond)
    }

    /// Metres behind the farthest point that noise explains.
    @inline(__always)
    static func deadBand(_ sigma: Double) -> Double { max(BeliefSettings.deadBand, 3 * sigma) }

    /// The cost of a fix at a distance from the line, weighted by its time. Gaussian near, linear far.
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

    /// The cost of a distance along the line given the expected one; it may have been walked, or be a jump.
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
