import CivilTime
import PluginKit

/// When a new route is planned: after some time off route, not while standing, not twice in 30 s, and after a failure at
/// growing intervals.
struct ReroutePace {
    private let after: Double
    private var attempts = 0
    private var last: Timestamp?
    private var wait = WalkSettings.betweenReroutes
    private var hasFailed = false

    init(_ settings: GuidanceSettings) { after = settings.rerouteAfter }

    /// Whether a new route should be planned now.
    mutating func isDue(_ run: GuidanceRun) -> Bool {
        guard run.state.isOffRoute else {
            hasFailed = false
            wait = WalkSettings.betweenReroutes
            return false
        }
        guard attempts < WalkSettings.mostReroutes, run.secondsOffRoute >= after,
            let fix = run.state.last, !run.isStanding
        else { return false }
        return last.map { fix.time.seconds(since: $0) >= wait } ?? true
    }

    /// Records that a new route was planned.
    mutating func succeed(_ time: Timestamp) {
        attempts += 1
        last = time
        wait = WalkSettings.betweenReroutes
        hasFailed = false
    }

    /// Records a failure; returns whether it is the first.
    mutating func fail(_ time: Timestamp) -> Bool {
        attempts += 1
        wait = last == nil ? wait : min(WalkSettings.longestWait, wait * 2)
        last = time
        defer { hasFailed = true }
        return !hasFailed
    }
}
