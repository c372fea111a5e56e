import Geodesy
import PluginKit

extension RoutePlanner {
    /// The best route and up to `count` others that differ from it and from each other, by cost.
    ///
    /// Method: penalties. The edges of the routes found so far become dearer for the next search; a route counts
    /// when it costs little more than the best and shares little of its length with the others.
    package func alternatives(_ places: [Coordinate], count: Int) throws -> [GraphPath] {
        let stops = try ConnectedSnapping(weighted).snap(places).stops
        var trace = NoTrace()
        let best = try plan(stops: stops, method: .hierarchy, trace: &trace)
        var found = [best]
        var dearer = WeightedGraph(
            weighted, multiplying: best.edges.map(\.edge), by: AlternativeSettings.penalty)
        for _ in 0..<max(0, count) * AlternativeSettings.attempts where found.count <= count {
            try Interruption.check()
            let path = try RoutePlanner(dearer).plan(stops: stops, method: .aStar, trace: &trace)
            let real = rebuilt(path)
            if real.cost <= best.cost * AlternativeSettings.stretch, found.allSatisfy({ !isAlike(real, $0) })
            {
                found.append(real)
            }
            dearer = WeightedGraph(
                dearer, multiplying: path.edges.map(\.edge), by: AlternativeSettings.penalty)
        }
        return [best] + found.dropFirst().sorted { $0.cost < $1.cost }
    }

    /// A path with the costs of this planner's profile.
    private func rebuilt(_ path: GraphPath) -> GraphPath {
        var real = path
        real.cost = path.edges.reduce(0) { cost, piece in
            cost + piece.share * weighted.cost(of: piece.edge, isReversed: piece.isReversed)
        }
        return real
    }

    /// Whether too much of a path lies on another.
    private func isAlike(_ path: GraphPath, _ other: GraphPath) -> Bool {
        let edges = Set(other.edges.map(\.edge))
        let shared = path.edges.filter { edges.contains($0.edge) }.reduce(0.0) { length, piece in
            length + piece.share * Double(weighted.graph.distance[piece.edge])
        }
        return shared > AlternativeSettings.sharing * min(path.distance, other.distance)
    }
}
