import CivilTime
import PluginKit

/// A simulated walk without a session, for benchmarks and tests.
public enum SimulatedWalk {
    /// The complete walk along a route by a plan, without rerouting. `hasMotion` adds speed and course to
    /// fixes, which not all receivers report. Throws `E-GUIDE-SIMULATION` for a plan that does not fit the
    /// route.
    public static func run(
        _ given: GuideRoute, _ plan: WalkPlan, settings: GuidanceSettings = GuidanceSettings(), seed: UInt64,
        hasMotion: Bool = true
    ) throws -> GuidanceRun {
        let route = plan.scenario?.route(given) ?? given
        var walker = try Walker(
            route, plan, start: Timestamp(milliseconds: 0), random: Xoshiro256(seed: seed))
        var run = GuidanceRun(route, settings: settings)
        var none = NoTrace()
        while var fix = walker.next() {
            if !hasMotion { (fix.fix.speed, fix.fix.course) = (nil, nil) }
            run.take(fix, trace: &none)
        }
        return run
    }
}
