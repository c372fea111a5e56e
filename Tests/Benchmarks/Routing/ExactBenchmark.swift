import Foundation
import GRDB
import PluginKit
import PluginTestKit
import RoutingPlugin

/// Every method and profile compared with a plain search over the stored graph.
///
/// This search reads the edges from the database and has its own queue; it shares only the computation of
/// an edge's cost. Sums are added in another order, and the hierarchy's costs are integers of small units,
/// so the last digits may differ.
struct ExactBenchmark {
    let region: RoutingRegion
    let pairs: Int

    /// The maximum relative difference of costs.
    private static let slack = 1e-9
    private static let profiles: [CostProfile] = [
        .hiking, .walking, .trailRunning, .wheelchair, .cycling, .appHiking,
    ]

    /// Prints the counts; returns the number of differences.
    @discardableResult
    func run() throws -> Int {
        let written = try RoutingRegion(region.database, isOwn: false).graph
        var all = 0
        for profile in Self.profiles {
            let planner = try RoutePlanner(region, profile: profile)
            let plain = try WrittenGraph(region, WeightedGraph(written, profile: profile))
            var random = SplitMix(seed: 2026)
            var (differences, unreached) = (0, 0)
            var greatest = 0.0
            for number in 0..<pairs {
                let (from, to) = (plain.random(&random), plain.random(&random))
                let least = plain.cost(from: from, to: to)
                if least == .infinity { unreached += 1 }
                for method in SearchMethod.allCases {
                    let cost = try planner.cost(
                        from: plain.snapped(from, in: written), to: plain.snapped(to, in: written),
                        method: method
                    )
                    let gap = least == cost ? 0 : abs(cost - least) / max(least, 1)
                    greatest = max(greatest, gap.isFinite ? gap : 0)
                    guard !(gap <= Self.slack) else { continue }
                    differences += 1
                    if differences <= 3 {
                        print("    pair \(number), \(method.rawValue): \(cost), written graph \(least)")
                    }
                }
            }
            all += differences
            print(
                "exact, \(profile.name): \(pairs) pairs by \(SearchMethod.allCases.count) methods, \(unreached) pairs without "
                    + "a way; \(differences) costs differ, by at most a share of \(greatest)"
                    + goal("0", differences == 0))
            fflush(nil)
        }
        return all
    }
}

/// The graph of a database, read without derived files, and Dijkstra's algorithm on it.
private struct WrittenGraph {
    /// A location on the network: an edge, and the share of it before the location.
    typealias Spot = (edge: Int, share: Double)

    private struct Edge {
        var from: Int
        var to: Int
        var there: Double
        var back: Double
    }

    private let edges: [Edge]
    /// Edges on which a route can begin or end.
    private let open: [Int]
    /// The ways out of each node.
    private let ways: [[(to: Int, cost: Double)]]

    init(_ region: RoutingRegion, _ weighted: WeightedGraph) throws {
        let rows = try DatabaseQueue(path: region.database.path).read { db in
            try Row.fetchAll(db, sql: "SELECT id, from_node, to_node FROM routing_edges ORDER BY id")
        }
        var numbers: [Int64: Int] = [:]
        func number(_ id: Int64) -> Int {
            let number = numbers[id] ?? numbers.count
            numbers[id] = number
            return number
        }
        let edges = rows.enumerated().map { index, row in
            Edge(
                from: number(row[1]), to: number(row[2]), there: weighted.forward[index],
                back: weighted.backward[index])
        }
        open = edges.indices.filter {
            (edges[$0].there.isFinite || edges[$0].back.isFinite) && weighted.graph.distance[$0] > 0
        }
        var ways = [[(to: Int, cost: Double)]](repeating: [], count: numbers.count)
        for edge in edges {
            if edge.there.isFinite { ways[edge.from].append((edge.to, edge.there)) }
            if edge.back.isFinite { ways[edge.to].append((edge.from, edge.back)) }
        }
        (self.edges, self.ways) = (edges, ways)
    }

    func random(_ random: inout SplitMix) -> Spot {
        let edge = open[Int(random.next() % UInt64(open.count))]
        return (edge, Double(random.next() % 1000) / 1000)
    }

    func snapped(_ spot: Spot, in graph: RoutingGraph) -> SnappedPoint {
        let here = graph.coordinate(of: Int(graph.source[spot.edge])).withoutAltitude
        return SnappedPoint(coordinate: here, point: here, distance: 0, edge: spot.edge, fraction: spot.share)
    }

    /// The least cost between two locations; infinite if there is no path.
    func cost(from: Spot, to: Spot) -> Double {
        func part(_ cost: Double, _ share: Double) -> Double { share > 0 ? cost * share : 0 }
        let (start, end) = (edges[from.edge], edges[to.edge])
        var best = Double.infinity
        if from.edge == to.edge {
            best =
                from.share <= to.share
                ? part(start.there, to.share - from.share) : part(start.back, from.share - to.share)
        }
        var known = [Double](repeating: .infinity, count: ways.count)
        var waiting = CostHeap()
        func reach(_ node: Int, _ cost: Double) {
            guard cost < known[node] else { return }
            known[node] = cost
            waiting.push(cost, node)
        }
        reach(start.to, part(start.there, 1 - from.share))
        reach(start.from, part(start.back, from.share))
        while let (cost, node) = waiting.pop(), cost < best {
            guard cost <= known[node] else { continue }
            if node == end.from { best = min(best, cost + part(end.there, to.share)) }
            if node == end.to { best = min(best, cost + part(end.back, 1 - to.share)) }
            for way in ways[node] { reach(way.to, cost + way.cost) }
        }
        return best
    }
}

/// A binary heap of numbers by cost.
private struct CostHeap {
    private var items: [(cost: Double, node: Int)] = []

    mutating func push(_ cost: Double, _ node: Int) {
        items.append((cost, node))
        var at = items.count - 1
        while at > 0, items[at].cost < items[(at - 1) / 2].cost {
            items.swapAt(at, (at - 1) / 2)
            at = (at - 1) / 2
        }
    }

    mutating func pop() -> (cost: Double, node: Int)? {
        guard let top = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return top }
        items[0] = last
        var at = 0
        while true {
            let least = [2 * at + 1, 2 * at + 2].filter { $0 < items.count }.min {
                items[$0].cost < items[$1].cost
            }
            guard let least, items[least].cost < items[at].cost else { return top }
            items.swapAt(at, least)
            at = least
        }
    }
}
