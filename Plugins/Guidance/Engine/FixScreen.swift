import CivilTime
import Geodesy
import PluginKit

/// Sets aside fixes that cannot have been reached on foot or by bicycle in the time since the last good one: bursts of stray fixes
/// beside tall houses or under a rock face. The position is unclear meanwhile, so nothing is said.
///
/// Nothing is set aside for ever: what is nearer to the last good fix than to those that were set aside is near enough after some
/// seconds, and fixes that agree among themselves for long are right, however far away they are.
struct FixScreen: Sendable, Hashable {
    /// The last fix that was set aside, and how many have agreed with it.
    private var strange: PositionFix?
    private var agreeing = 0
    /// How often the last good position was repeated to the last digit since then.
    private var repeated = 0
    /// The good fix before the last one, which may be a stray that was near enough.
    private var earlier: PositionFix?

    /// Whether one of the first fixes contradicts those before: none of them is known to be good, and the last known position
    /// of the receiver, from where it was switched off, comes first.
    static func contradicts(
        _ fix: PositionFix, after last: PositionFix, known fixes: Int, mode: TravelMode,
        sigma: (PositionFix) -> Double
    ) -> Bool {
        fixes <= GuidanceLimits.unscreened && !isReachable(fix, from: last, mode, strictly: false, sigma)
    }

    private static func isReachable(
        _ fix: PositionFix, from start: PositionFix, _ mode: TravelMode, strictly: Bool,
        _ sigma: (PositionFix) -> Double
    ) -> Bool {
        let seconds = fix.time.seconds(since: start.time)
        // Fixes with the same time are entered by hand.
        guard seconds > 0 else { return true }
        let noise = sigma(start) + sigma(fix)
        let most =
            strictly
            ? mode.steady * seconds + noise + GuidanceLimits.strictNoise
            : fastest(mode, over: seconds) * seconds + GuidanceLimits.screenedDeviations * noise
                + GuidanceLimits.screenedNoise
        return start.coordinate.distance(to: fix.coordinate) <= most
    }

    /// The greatest speed that is believed for some seconds, metres a second. Bursts come among dense fixes; over a longer time
    /// the plan of a walk may be ridden, and part of it by train or cable car.
    private static func fastest(_ mode: TravelMode, over seconds: Double) -> Double {
        seconds > BeliefSettings.gap ? TravelMode.cycling.fastest : mode.fastest
    }

    /// Whether a fix is set aside. `good` is the last fix that was not.
    mutating func setsAside(
        _ fix: PositionFix, after good: PositionFix, known fixes: Int, mode: TravelMode,
        sigma: (PositionFix) -> Double
    ) -> Bool {
        func isReachable(_ start: PositionFix, strictly: Bool = false) -> Bool {
            Self.isReachable(fix, from: start, mode, strictly: strictly, sigma)
        }
        let isGood: Bool
        if let strange {
            // A burst of stray fixes lasts for many seconds, in which the way to it would become short enough: noise excuses less, and
            // what goes on where those lie that were set aside is one of them.
            isGood =
                isReachable(good, strictly: true)
                && good.coordinate.distance(to: fix.coordinate)
                    <= strange.coordinate.distance(to: fix.coordinate)
        } else {
            isGood = isReachable(good) || earlier.map { isReachable($0, strictly: true) } ?? false
        }
        // The position of a mast or of a network, which comes between the fixes of the receiver, does not speak against them.
        if isGood, strange != nil, fix.coordinate == good.coordinate, repeated < agreeing {
            repeated += 1
            return false
        }
        // At the start there is nothing to trust yet: guidance restarts instead.
        guard fixes > GuidanceLimits.unscreened, !isGood else {
            (earlier, strange, agreeing, repeated) = (good, nil, 0, 0)
            return false
        }
        agreeing = strange.map { isReachable($0) } == true ? agreeing + 1 : 1
        strange = fix
        guard agreeing > GuidanceLimits.mostScreened else { return true }
        (earlier, strange, agreeing, repeated) = (good, nil, 0, 0)
        return false
    }
}

extension TravelMode {
    /// The speed that is kept up while fixes are set aside, metres a second.
    fileprivate var steady: Double {
        self == .hiking ? GuidanceLimits.steadyOnFoot : GuidanceLimits.steadyRiding
    }

    /// The greatest speed that is believed between two fixes, metres a second.
    fileprivate var fastest: Double {
        self == .hiking ? GuidanceLimits.fastestOnFoot : GuidanceLimits.fastestRiding
    }
}
