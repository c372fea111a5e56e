import CivilTime
import Geodesy

/// When the end of a route counts as reached: it is near, the last instruction is next, and most of the route was walked
/// in order.
struct ArrivalRule {
    let route: GuideRoute
    let settings: GuidanceSettings

    /// Whether an instruction is the last.
    func isLast(_ stop: Int) -> Bool { stop == route.stops.count - 1 }

    /// The metres that must be walked in order. A route that is shorter than the distance of arrival is not reached where it begins;
    /// one who joins it at its end is there.
    func needed(_ progress: RouteProgress) -> Double {
        route.length <= settings.arrived
            ? (route.length - progress.joined) * GuidanceLimits.shareToArrive
            : progress.needed(on: route.geometry)
    }

    /// Where the arrival is announced on a walk from the start, metres from it.
    var due: Double { max(route.length - settings.arrived, needed(RouteProgress())) }

    /// Whether enough of the route is walked, some metres farther on.
    func isWalked(_ progress: RouteProgress, at time: Timestamp, after ahead: Double = 0) -> Bool {
        progress.covered + ahead >= needed(progress)
            && progress.sinceLeap + ahead >= progress.neededSinceLeap(settings.arrived, at: time)
    }

    /// Whether the end is near. An uncertainty of some metres delays the arrival by as many metres, unless the walker stands.
    func isNear(_ fix: PositionFix, _ state: GuidanceState, sigma: Double, hasStopped: Bool) -> Bool {
        // Where the position is predicted by the speed, the match may be ahead of a walker whose fixes are not at the end yet.
        let noise = max(settings.sigma, state.belief.strayed) * BeliefSettings.gateSigmas
        guard end.distance(to: fix.coordinate) <= settings.arrived + noise else { return false }
        let unsure = max(0, sigma - settings.sigma) * GuidanceLimits.unsureDeviations
        let most = max(settings.arrived - unsure, settings.arrived * GuidanceLimits.leastArrived)
        return route.length - state.progress.reached <= (hasStopped ? settings.arrived : most)
            || isLast(state.next)
                && isAtEnd(fix, state, from: state.progress.reached, hasStopped: hasStopped)
    }

    /// Whether the fix is at the end and so is the rest of the line, whose last bend may have been cut: standing there counts
    /// as arrival, whatever the shape of the line.
    func isAtEnd(
        _ fix: PositionFix, _ state: GuidanceState, from along: Double, hasStopped: Bool
    ) -> Bool {
        guard isLastBend(from: along), state.belief.hypotheses.first?.setAside == 0 else { return false }
        return end.distance(to: fix.coordinate) <= settings.arrived * GuidanceLimits.atEnd
            && (hasStopped || isRestAtEnd(from: along))
    }

    /// Whether all points of the line from a distance from the start on are within the distance of arrival of its end.
    func isRestAtEnd(from along: Double) -> Bool {
        guard isLastBend(from: along) else { return false }
        let geometry = route.geometry
        return geometry.coordinate(at: along).distance(to: end) <= settings.arrived
            && geometry.points.indices.reversed().prefix { geometry.along[$0] > along }
                .allSatisfy { geometry.points[$0].distance(to: end) <= settings.arrived }
    }

    /// Whether no more than the last bend remains.
    private func isLastBend(from along: Double) -> Bool {
        route.length - along <= settings.arrived * GuidanceLimits.lastBend
    }

    private var end: Coordinate { route.geometry.points[route.geometry.points.count - 1] }
}
