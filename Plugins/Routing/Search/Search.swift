import PluginKit

/// A node that a search starts or ends at, and the cost between it and the snapped coordinate.
struct SearchEnd: Sendable {
    var node: Int32
    var cost: Double
}

/// A query: the cheapest path from any seed to any goal.
struct SearchQuery: Sendable {
    var seeds: [SearchEnd]
    var goals: [SearchEnd]
    /// The cost of a path known in advance; only cheaper ones are searched.
    var bound = Double.infinity

    /// Whether its seeds or its goals are not the ends of one edge, as in an area.
    var isWide = false
}

/// A path that was found.
struct SearchResult: Sendable {
    /// With the costs of the seed and the goal.
    var cost: Double
    /// Edges with their direction, as in `Arc`, from the seed to the goal.
    var edges: [Int32]
    var seed: Int
    var goal: Int
}

/// The outcome of a search, whether or not it found a path.
struct SearchOutcome: Sendable {
    var result: SearchResult?
    var settled = 0
}

/// A lower bound of the cost from a node to the end.
protocol Potential {
    func estimate(_ node: Int32) -> Double
}

/// No estimate: A* becomes Dijkstra's algorithm.
struct NoPotential: Potential {
    @inline(__always)
    func estimate(_ node: Int32) -> Double { 0 }
}

/// The straight line to the nearest of the ends, times the least cost per metre.
struct StraightLine: Potential {
    private let space: UnsafePointer<Double>
    private let least: Double
    private let first: (x: Double, y: Double, z: Double, cost: Double)
    private let second: (x: Double, y: Double, z: Double, cost: Double)
    private let isDouble: Bool
    /// The ends after the first two.
    private let others: [(x: Double, y: Double, z: Double, cost: Double)]

    /// The estimate of the cost to the cheapest of the ends; there must be at least one. With a weight over 1 it is no lower
    /// bound any more.
    init(_ weighted: WeightedGraph, to ends: [SearchEnd], weight: Double = 1) {
        let graph = weighted.graph
        func corner(_ end: SearchEnd) -> (x: Double, y: Double, z: Double, cost: Double) {
            let base = 3 * Int(end.node)
            return (graph.space[base], graph.space[base + 1], graph.space[base + 2], end.cost)
        }
        space = graph.space.base
        least = weighted.leastPerMetre * weight
        first = corner(ends[0])
        second = corner(ends[ends.count - 1])
        others = ends.dropFirst().dropLast().map(corner)
        isDouble = ends.count > 1
    }

    @inline(__always)
    func estimate(_ node: Int32) -> Double {
        let base = 3 * Int(node)
        let (x, y, z) = (space[base], space[base + 1], space[base + 2])
        let one = distance(x, y, z, first)
        guard isDouble else { return one }
        var least = min(one, distance(x, y, z, second))
        for end in others { least = min(least, distance(x, y, z, end)) }
        return least
    }

    @inline(__always)
    private func distance(
        _ x: Double, _ y: Double, _ z: Double, _ end: (x: Double, y: Double, z: Double, cost: Double)
    ) -> Double {
        let (dx, dy, dz) = (x - end.x, y - end.y, z - end.z)
        return (dx * dx + dy * dy + dz * dz).squareRoot() * least + end.cost
    }
}

/// Dijkstra's algorithm and A* in one: they differ by the potential.
struct OneWaySearch<Estimate: Potential, Recorder: TraceRecorder> {
    let weighted: WeightedGraph
    let potential: Estimate
    var trace: Recorder

    /// Finds the cheapest path with a cost below the query's bound.
    mutating func run(_ query: SearchQuery) throws -> SearchOutcome {
        let count = weighted.graph.nodeCount
        return try weighted.spaces.withSpace(count: count) { space in
            try withExtendedLifetime(weighted) { try run(query, in: space) }
        }
    }

    private mutating func run(_ query: SearchQuery, in space: SearchSpace) throws -> SearchOutcome {
        let stamp = space.begin()
        let view = SearchView(weighted, weighted.out, space)
        seed(query, view)
        recordStart(query, view)
        var outcome = SearchOutcome()
        var (best, goal) = (query.bound, -1)
        let goals = (query.goals.first?.node ?? -1, query.goals.last?.node ?? -1)
        let others = query.goals.count > 2 ? Set(query.goals.map(\.node)) : []
        while !view.heap.pointee.isEmpty, view.heap.pointee.leastKey < best {
            let node = view.heap.pointee.pop().node
            guard view.labels[Int(node)].stamp == stamp else { continue }
            view.labels[Int(node)].stamp = stamp &+ 1
            outcome.settled &+= 1
            if outcome.settled % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
            recordSettled(node, view)
            if node == goals.0 || node == goals.1 || !others.isEmpty && others.contains(node) {
                for index in query.goals.indices where query.goals[index].node == node {
                    let cost = view.labels[Int(node)].g + query.goals[index].cost
                    if cost < best { (best, goal) = (cost, index) }
                }
            }
            relax(node, view)
        }
        if goal >= 0 {
            let path = space.path(to: query.goals[goal].node, in: weighted.graph)
            outcome.result = SearchResult(cost: best, edges: path.edges, seed: path.seed, goal: goal)
        }
        recordEnd(best, query, outcome, view)
        return outcome
    }

    private func seed(_ query: SearchQuery, _ view: SearchView) {
        for (index, seed) in query.seeds.enumerated() where seed.cost < view.cost(of: Int(seed.node)) {
            let h = potential.estimate(seed.node)
            view.labels[Int(seed.node)] = NodeLabel(
                g: seed.cost, h: h, arc: Int32(-1 - index), stamp: view.stamp)
            view.heap.pointee.push(HeapEntry(key: seed.cost + h, node: seed.node))
        }
    }

    @inline(__always)
    private mutating func relax(_ node: Int32, _ view: SearchView) {
        let labels = view.labels
        let g = labels[Int(node)].g
        var index = Int(view.firstArc[Int(node)])
        let end = Int(view.firstArc[Int(node) &+ 1])
        while index < end {
            let head = Int(view.arcs[index].head)
            let cost = g + view.costs[index]
            let label = labels[head]
            if label.stamp &- view.stamp > 1 {
                if cost < .infinity {
                    let h = potential.estimate(Int32(truncatingIfNeeded: head))
                    labels[head] = NodeLabel(
                        g: cost, h: h, arc: Int32(truncatingIfNeeded: index), stamp: view.stamp)
                    view.heap.pointee.push(
                        HeapEntry(key: cost + h, node: Int32(truncatingIfNeeded: head)))
                }
                recordRelaxed(node, index, old: nil, new: cost, view)
            } else {
                if cost < label.g, label.stamp == view.stamp {
                    labels[head].g = cost
                    labels[head].arc = Int32(truncatingIfNeeded: index)
                    view.heap.pointee.push(
                        HeapEntry(key: cost + label.h, node: Int32(truncatingIfNeeded: head)))
                }
                recordRelaxed(node, index, old: label, new: cost, view)
            }
            index &+= 1
        }
    }
}

/// Raw pointers to the data of a search's loops, to avoid reference counting.
struct SearchView {
    let firstArc: UnsafePointer<Int32>
    let arcs: UnsafePointer<Arc>
    let costs: UnsafePointer<Double>
    let labels: UnsafeMutablePointer<NodeLabel>
    let heap: UnsafeMutablePointer<SearchHeap>
    let stamp: UInt32

    /// The view of a search in arcs with costs; all three must outlive it.
    init(_ weighted: WeightedGraph, _ costs: Column<Double>, _ space: SearchSpace) {
        firstArc = weighted.graph.firstArc.base
        arcs = weighted.graph.arcs.base
        self.costs = costs.base
        labels = space.labels
        heap = space.heap
        stamp = space.stamp
    }

    /// The least cost found by the current search; infinite for an unreached node.
    @inline(__always)
    func cost(of node: Int) -> Double { labels[node].stamp &- stamp <= 1 ? labels[node].g : .infinity }
}

extension SearchSpace {
    /// The edges with their directions from a seed to a node reached by the current search.
    func path(to node: Int32, in graph: RoutingGraph) -> (edges: [Int32], seed: Int) {
        var edges: [Int32] = []
        var node = Int(node)
        while labels[node].arc >= 0 {
            let arc = graph.arcs[labels[node].arc]
            edges.append(arc.edgeAndDirection)
            node = Int(graph.tail(of: arc))
        }
        edges.reverse()
        return (edges, Int(-1 - labels[node].arc))
    }
}

extension RoutingGraph {
    /// The node that an arc leaves.
    @inline(__always)
    func tail(of arc: Arc) -> Int32 { arc.isReversed ? target[arc.edge] : source[arc.edge] }
}
