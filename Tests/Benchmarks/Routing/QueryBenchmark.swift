import Foundation
import Geodesy
import PluginKit
import PluginTestKit
import RoutingPlugin

/// Random connected pairs of coordinates; all methods use the same ones.
struct RandomPairs {
    private(set) var ends: [(from: SnappedPoint, to: SnappedPoint)] = []
    private(set) var places: [[Coordinate]] = []

    init(_ planner: RoutePlanner, count: Int) throws {
        var random = SplitMix(seed: 42)
        let graph = planner.weighted.graph
        let snapper = Snapper(planner.weighted)
        while ends.count < count {
            let pair = (0..<2).compactMap { _ in
                let node = Int(random.next() % UInt64(graph.nodeCount))
                return try? snapper.snap(graph.coordinate(of: node).withoutAltitude)
            }
            guard pair.count == 2,
                try planner.cost(from: pair[0], to: pair[1], method: .hierarchy).isFinite
            else { continue }
            ends.append((pair[0], pair[1]))
            places.append(pair.map(\.coordinate))
        }
    }
}

/// Queries by each method: the search, and the route as its edges. The line and the sums, which are the
/// same for all methods, are excluded.
struct QueryBenchmark {
    let planner: RoutePlanner
    let pairs: RandomPairs
    let goals: Goals

    func run(methods: [SearchMethod] = SearchMethod.allCases) throws {
        print(
            "queries: \(pairs.ends.count) random pairs, each to the list of the route's edges; measured in the second "
                + "of two rounds")
        var routes: [SearchMethod: Times] = [:]
        for method in methods {
            var (times, settled, edges) = (Times(), 0, 0)
            for pair in pairs.ends { _ = try planner.edges(from: pair.from, to: pair.to, method: method) }
            for pair in pairs.ends {
                let (found, seconds) = try ownTimed {
                    try planner.edges(from: pair.from, to: pair.to, method: method)
                }
                times.add(seconds)
                settled += found.settled
                edges += found.edges?.count ?? 0
            }
            routes[method] = times
            print(
                "  \(method.rawValue): \(times.words); \(settled / pairs.ends.count) nodes settled, "
                    + "\(Int(times.sum / Double(max(1, settled)) * 1e9)) ns per settled node, "
                    + "\(edges / pairs.ends.count) edges")
        }
        compare(routes, "with the edges", hasGoal: true)
        var costs: [SearchMethod: Times] = [:]
        for method in methods where method != .bidirectional {
            var times = Times()
            for pair in pairs.ends {
                times.add(try ownTimed { try planner.cost(from: pair.from, to: pair.to, method: method) }.1)
            }
            costs[method] = times
        }
        compare(costs, "the cost alone", hasGoal: false)
    }

    private func compare(_ times: [SearchMethod: Times], _ words: String, hasGoal: Bool) {
        guard let star = times[.aStar]?.median, let fast = times[.hierarchy]?.median,
            let plain = times[.dijkstra]?.median
        else { return }
        var line = "  hierarchy, \(words): \(us(fast)), \(ratio(star, fast)) faster than A*, "
        line += "\(ratio(plain, fast)) faster than Dijkstra"
        if hasGoal, let least = goals.hierarchy {
            line += goal("≥ \(Int(least))× A*", star / fast >= least)
        }
        print(line)
    }
}
