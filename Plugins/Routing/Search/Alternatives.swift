import Geodesy
import PluginKit

extension RoutePlanner {
    /// The best route and up to `count` others that differ from it and from each other, by cost.
    ///
    /// Method: penalties. The edges of the routes found so far cost more in the next search; a route is
    /// accepted if it costs little more than the best and shares little of its length with the others.
    func alternatives(_ places: [Coordinate], count: Int) throws -> [GraphPath] {
        var trace = NoTrace()
        return try alternatives(places, count: count, trace: &trace)
    }

    /// The same with a trace.
    func alternatives(
        _ places: [Coordinate], count: Int, trace: inout some TraceRecorder
    ) throws -> [GraphPath] {
        let snapped = try ConnectedSnapping(weighted, avoids: avoids).snap(places)
        let stops = snapped.stops
        // The inner searches have traces of their own, of `route plan`.
        var search = NoTrace()
        trace.record(AlternativesTrace.start(count: count))
        let best = try plan(stops: stops, method: .hierarchy, trace: &search)
        try checkMoves(best)
        trace.record(AlternativesTrace.best(best))
        var found = [best]
        var dearer = WeightedGraph(
            weighted, multiplying: best.wayEdges, by: AlternativeSettings.penalty)
        for attempt in 0..<max(0, count) * AlternativeSettings.attempts where found.count <= count {
            try Interruption.check()
            let path = try RoutePlanner(dearer).plan(stops: stops, method: .aStar, trace: &search)
            let real = rebuilt(path)
            let share = found.map { shared(real, $0) }.max() ?? 0
            let verdict: AlternativesTrace.Verdict =
                real.cost > best.cost * AlternativeSettings.stretch
                ? .tooDear : share > AlternativeSettings.sharing ? .tooAlike : .kept
            trace.record(AlternativesTrace.attempt(attempt + 1, real, best: best, share: share, verdict))
            if verdict == .kept { found.append(real) }
            dearer = WeightedGraph(
                dearer, multiplying: path.wayEdges, by: AlternativeSettings.penalty)
        }
        trace.record(AlternativesTrace.end(found: found.count - 1, wanted: count))
        return ([best] + found.dropFirst().sorted { $0.cost < $1.cost }).map { path in
            var path = path
            path.notices = snapped.notices + path.notices
            return path
        }
    }

    /// A path with the costs of this planner's profile.
    private func rebuilt(_ path: GraphPath) -> GraphPath {
        var real = path
        real.cost = path.edges.reduce(0) { cost, piece in
            cost + weighted.cost(of: piece)
        }
        return real
    }

    /// The share of the shorter of two paths that lies on the other, 0…1.
    private func shared(_ path: GraphPath, _ other: GraphPath) -> Double {
        let shared = path.length(on: other, weighted.graph)
        let shorter = min(path.distance, other.distance)
        return shorter > 0 ? shared / shorter : 1
    }
}
