import CivilTime
import PluginKit

/// A simulated walk without a session, as benchmarks and tests walk it.
public enum SimulatedWalk {
    /// The walk along a route by a plan to its end, without rerouting. `hasMotion` says whether fixes have a speed and a
    /// course, which not all receivers state. Throws `E-GUIDE-SIMULATION` for a plan that the route does not allow.
    public static func journey(
        _ given: GuideRoute, _ plan: WalkPlan, settings: GuidanceSettings = GuidanceSettings(), seed: UInt64,
        hasMotion: Bool = true
    ) throws -> Journey {
        let route = plan.walk?.route(given) ?? given
        var walker = try Walker(
            route, plan, start: Timestamp(milliseconds: 0), random: Xoshiro256(seed: seed))
        var journey = Journey(route, settings: settings)
        var none = NoTrace()
        while var fix = walker.next() {
            if !hasMotion { (fix.fix.speed, fix.fix.course) = (nil, nil) }
            journey.take(fix, trace: &none)
        }
        return journey
    }
}
