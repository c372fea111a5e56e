import PluginKit
import PluginTestKit
import RoutingPlugin

/// A* between two nodes as `RoutePlanner` runs it, line by line, without trace calls: the difference is the
/// cost of disabled tracing. Nodes of equal cost have the same order, so both settle the same nodes.
final class TracelessSearch {
    private struct Label {
        var g: Double
        var h: Double
        var arc: Int32
        var stamp: UInt32
    }

    private let weighted: WeightedGraph
    private let labels: UnsafeMutablePointer<Label>
    private let heap: UnsafeMutablePointer<SearchHeap>
    private var stamp: UInt32 = 0

    init(_ weighted: WeightedGraph) {
        self.weighted = weighted
        labels = .allocate(capacity: weighted.graph.nodeCount)
        labels.initialize(
            repeating: Label(g: .infinity, h: 0, arc: -1, stamp: 0), count: weighted.graph.nodeCount)
        heap = .allocate(capacity: 1)
        heap.initialize(to: SearchHeap())
    }

    deinit {
        labels.deallocate()
        heap.deinitialize(count: 1)
        heap.deallocate()
    }

    /// The cost of the cheapest path, infinite for none, and the number of settled nodes.
    func cost(fromNode from: Int, toNode to: Int) throws -> (cost: Double, settled: Int) {
        let graph = weighted.graph
        let (firstArc, arcs, costs, space) = (
            graph.firstArc.base, graph.arcs.base, weighted.out.base, graph.space.base
        )
        // As in the planner there may be two goals, each with its own cost.
        let ends = [(node: Int32(to), cost: 0.0)]
        let corners = ends.map { end in
            let base = 3 * Int(end.node)
            return (x: space[base], y: space[base + 1], z: space[base + 2], cost: end.cost)
        }
        let (first, second, isDouble) = (corners[0], corners[corners.count - 1], corners.count > 1)
        let least = weighted.leastPerMetre
        @inline(__always)
        func metres(_ node: Int, _ end: (x: Double, y: Double, z: Double, cost: Double)) -> Double {
            let (dx, dy, dz) = (
                space[3 * node] - end.x, space[3 * node + 1] - end.y, space[3 * node + 2] - end.z
            )
            return (dx * dx + dy * dy + dz * dz).squareRoot() * least + end.cost
        }
        @inline(__always)
        func estimate(_ node: Int) -> Double {
            let one = metres(node, first)
            return isDouble ? min(one, metres(node, second)) : one
        }
        stamp += 2
        let (stamp, labels, heap) = (stamp, labels, heap)
        heap.pointee.removeAll()
        labels[from] = Label(g: 0, h: estimate(from), arc: -1, stamp: stamp)
        heap.pointee.push(HeapEntry(key: labels[from].h, node: Int32(from)))
        var (best, settled) = (Double.infinity, 0)
        while heap.pointee.count > 0, heap.pointee.leastKey < best {
            let node = Int(heap.pointee.pop().node)
            guard labels[node].stamp == stamp else { continue }
            labels[node].stamp = stamp &+ 1
            settled &+= 1
            if settled % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
            if node == Int(ends[0].node) || node == Int(ends[ends.count - 1].node) {
                for end in ends where Int(end.node) == node {
                    best = min(best, labels[node].g + end.cost)
                }
            }
            let g = labels[node].g
            var index = Int(firstArc[node])
            let end = Int(firstArc[node &+ 1])
            while index < end {
                let head = Int(arcs[index].head)
                let cost = g + costs[index]
                let label = labels[head]
                if label.stamp &- stamp > 1 {
                    if cost < .infinity {
                        let h = estimate(head)
                        labels[head] = Label(
                            g: cost, h: h, arc: Int32(truncatingIfNeeded: index), stamp: stamp)
                        heap.pointee.push(HeapEntry(key: cost + h, node: Int32(truncatingIfNeeded: head)))
                    }
                } else if cost < label.g, label.stamp == stamp {
                    labels[head].g = cost
                    labels[head].arc = Int32(truncatingIfNeeded: index)
                    heap.pointee.push(HeapEntry(key: cost + label.h, node: Int32(truncatingIfNeeded: head)))
                }
                index &+= 1
            }
        }
        if best < .infinity { _ = path(to: to) }
        return (best, settled)
    }

    /// The edges of the path found, which the planner's search collects too.
    private func path(to node: Int) -> [Int32] {
        let graph = weighted.graph
        var (edges, node) = ([Int32](), node)
        while labels[node].arc >= 0 {
            let arc = graph.arcs[labels[node].arc]
            edges.append(arc.edgeAndDirection)
            node = Int(arc.isReversed ? graph.target[arc.edge] : graph.source[arc.edge])
        }
        edges.reverse()
        return edges
    }
}

/// The cost of disabled trace calls in a search.
enum TraceCost {
    static func compare(_ planner: RoutePlanner, pairs: Int) throws {
        let plain = TracelessSearch(planner.weighted)
        var random = SplitMix(seed: 11)
        let nodes = UInt64(planner.weighted.graph.nodeCount)
        let ends = (0..<pairs).map { _ in (Int(random.next() % nodes), Int(random.next() % nodes)) }
        var rounds: [(ours: Double, theirs: Double)] = []
        var (settled, differences) = (0, 0)
        // Alternating, so that other work on the machine affects both equally; the first round warms the
        // caches.
        for _ in 0...TraceCost.rounds {
            var sums = (ours: 0.0, theirs: 0.0)
            settled = 0
            for (index, end) in ends.enumerated() {
                func ours() throws -> (cost: Double, settled: Int) {
                    let (found, seconds) = try ownTimed { try planner.cost(fromNode: end.0, toNode: end.1) }
                    sums.ours += seconds
                    return found
                }
                func theirs() throws -> (cost: Double, settled: Int) {
                    let (found, seconds) = try ownTimed { try plain.cost(fromNode: end.0, toNode: end.1) }
                    sums.theirs += seconds
                    return found
                }
                // In both orders: the second finds the graph in the caches.
                let isFirst = index.isMultiple(of: 2)
                let before = isFirst ? try ours() : nil
                let other = try theirs()
                let one = try before ?? ours()
                settled += one.settled
                if one != other { differences += 1 }
            }
            rounds.append(sums)
        }
        let ratios = rounds.dropFirst().map { $0.ours / $0.theirs }.sorted()
        let median = ratios[ratios.count / 2]
        let last = rounds[rounds.count - 1]
        print(
            "A* with the trace off: \(Int(last.ours / Double(settled) * 1e9)) ns per settled node, without trace calls "
                + "\(Int(last.theirs / Double(settled) * 1e9)) ns; ratio \(ratio(median, 1)), "
                + "\(ratio(ratios[0], 1)) to \(ratio(ratios[ratios.count - 1], 1)) in \(ratios.count) rounds; "
                + "\(differences) results differ" + goal("≤ \(Goals.trace)×", median <= Goals.trace))
    }

    private static let rounds = 7
}
