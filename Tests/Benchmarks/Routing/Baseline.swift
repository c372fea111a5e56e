import Foundation
import PluginTestKit
import RoutingBaseline
import RoutingPlugin

/// A* between nodes here and in C++, on the same arrays and pairs.
enum Baseline {
    static func compare(_ planner: RoutePlanner, pairs: Int) throws {
        let (weighted, graph) = (planner.weighted, planner.weighted.graph)
        var random = SplitMix(seed: 7)
        let nodes = (0..<pairs).map { _ in
            (0..<2).map { _ in Int(random.next() % UInt64(graph.nodeCount)) }
        }
        guard
            let search = baseline_make(
                graph.nodeCount, graph.firstArc.base, graph.arcs.base, weighted.out.base, graph.space.base,
                weighted.leastPerMetre)
        else { return }
        defer { baseline_free(search) }
        // Alternating, so that other work on the machine affects both equally.
        var (ours, theirs) = (0.0, 0.0)
        var (ourNodes, theirNodes, differences) = (0, 0, 0)
        for pair in nodes + nodes {
            let (found, seconds) = try ownTimed { try planner.cost(fromNode: pair[0], toNode: pair[1]) }
            ours += seconds
            ourNodes += found.settled
            let (cost, other) = ownTimed { baseline_run(search, Int32(pair[0]), Int32(pair[1]), &theirNodes) }
            theirs += other
            if cost != found.cost { differences += 1 }
        }
        let (a, b) = (ours / Double(ourNodes) * 1e9, theirs / Double(theirNodes) * 1e9)
        print(
            "A* between nodes: \(Int(a)) ns per settled node, the same in C++ \(Int(b)) ns, ratio \(ratio(a, b)); "
                + "\(differences) costs differ" + goal("≤ \(Goals.baseline)×", a / b <= Goals.baseline))
    }
}
