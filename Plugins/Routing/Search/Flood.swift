import Geodesy
import PluginKit

/// All nodes reachable from a start within a cost.
package struct Flood: Sendable {
    /// The nodes settled, in the order of their cost.
    package private(set) var nodes: [Int] = []
    /// The cost of each of them.
    package private(set) var costs: [Double] = []

    /// Adds a node that is settled.
    mutating func settle(_ node: Int32, at cost: Double) {
        nodes.append(Int(node))
        costs.append(cost)
    }

    /// Settles all nodes within a cost.
    static func run(_ weighted: WeightedGraph, from seeds: [SearchEnd], within budget: Double) throws -> Flood
    {
        var none = NoTrace()
        return try run(weighted, from: seeds, within: budget, trace: &none)
    }

    /// The same with its steps, those of a search without a goal and without an estimate.
    static func run<T: TraceRecorder>(
        _ weighted: WeightedGraph, from seeds: [SearchEnd], within budget: Double, trace: inout T
    ) throws -> Flood {
        let (graph, out) = (weighted.graph, weighted.out)
        return try weighted.spaces.withSpace(count: graph.nodeCount) { space in
            let stamp = space.begin()
            let labels = space.labels
            var flood = Flood()
            trace.record(FloodSteps.started(seeds, within: budget, in: graph))
            for seed in seeds where seed.cost < space.cost(of: Int(seed.node)) && seed.cost <= budget {
                labels[Int(seed.node)] = NodeLabel(g: seed.cost, h: 0, arc: -1, stamp: stamp)
                space.heap.pointee.push(HeapEntry(key: seed.cost, node: seed.node))
            }
            while !space.heap.pointee.isEmpty {
                let node = Int(space.heap.pointee.pop().node)
                guard labels[node].stamp == stamp else { continue }
                labels[node].stamp = stamp + 1
                let g = labels[node].g
                flood.nodes.append(node)
                flood.costs.append(g)
                trace.record(
                    FloodSteps.settled(
                        Int32(node), labels[node], waiting: space.heap.pointee.count, within: budget,
                        in: graph))
                if flood.nodes.count % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
                for index in graph.arcRange(of: node) {
                    let (head, cost) = (Int(graph.arcs[index].head), g + out[index])
                    trace.record(
                        FloodSteps.relaxed(
                            Int32(node), graph.arcs[index],
                            old: space.cost(of: head).isFinite ? space.cost(of: head) : nil, new: cost,
                            within: budget, isSettled: labels[head].stamp == stamp + 1, in: graph))
                    guard cost <= budget, cost < space.cost(of: head), cost.isFinite else { continue }
                    labels[head] = NodeLabel(g: cost, h: 0, arc: Int32(index), stamp: stamp)
                    space.heap.pointee.push(HeapEntry(key: cost, node: Int32(head)))
                }
            }
            trace.record(FloodSteps.ended(flood.nodes.count, within: budget))
            return flood
        }
    }
}

/// The area reachable from a coordinate within a time.
package struct ReachableArea: Sendable {
    /// A reached part of an edge, in its stored direction.
    package struct Piece: Sendable, Hashable {
        package var edge: Int
        package var from: Double
        package var to: Double
    }

    package var start: SnappedPoint
    /// Seconds.
    package var limit: Double
    /// The nodes reached, by cost, and the seconds to each.
    package var nodes: [Int]
    package var seconds: [Double]
    /// The reached parts of edges, by edge.
    var pieces: [Piece]
    /// The reached parts of the lines over the area that the start is in, which are no ways.
    var walks: [[Coordinate]]
    /// Metres of way reached.
    package var length: Double
    /// The outline of the area: closed rings; those around holes run clockwise.
    package var outline: [[Coordinate]]
    /// Why the start is not at its nearest way, or that this is far away.
    var notice: String?
}

extension RoutePlanner {
    /// The area reachable from a coordinate within some seconds.
    func reachable(from coordinate: Coordinate, within seconds: Double) throws -> ReachableArea {
        var none = NoTrace()
        return try reachable(from: coordinate, within: seconds, trace: &none)
    }

    /// The same with the steps of the search.
    func reachable<T: TraceRecorder>(
        from coordinate: Coordinate, within seconds: Double, trace: inout T
    ) throws -> ReachableArea {
        let nearest = try Snapper(weighted).snap(coordinate, label: "the start")
        let snapping = ConnectedSnapping(weighted, avoids: avoids)
        let near = try reachable(from: snapping.overArea(nearest), within: seconds, trace: &trace)
        // A platform that the map joins to nothing ends the area, not the time.
        guard let moved = snapping.moved(offFragment: nearest, "the start") else { return near }
        var main = try reachable(from: moved.stop, within: seconds, trace: &trace)
        main.notice = moved.notice
        return main
    }

    private func reachable<T: TraceRecorder>(
        from start: SnappedPoint, within seconds: Double, trace: inout T
    ) throws -> ReachableArea {
        let graph = weighted.graph
        let budget = seconds * weighted.profile.speed
        let ends = LegEnds(weighted, from: start, to: start)
        var flood = try Flood.run(weighted, from: ends.query.seeds, within: budget, trace: &trace)
        var left: [Int32: Double] = [:]
        if let turns = weighted.turns {
            let search = RestrictedSearch(weighted: weighted, turns: turns)
            (flood, left) = try search.flood(ends.query.seeds, seedArcs: ends.seedArcs, within: budget)
        } else {
            for (node, cost) in zip(flood.nodes, flood.costs) {
                for index in graph.arcRange(of: node) {
                    left[graph.arcs[index].edgeAndDirection] = budget - cost
                }
            }
        }
        var touched: Set<Int> = start.area == nil ? [start.edge] : []
        for node in flood.nodes {
            for index in graph.arcRange(of: node) { touched.insert(graph.arcs[index].edge) }
        }
        var pieces: [ReachableArea.Piece] = []
        for edge in touched.sorted() {
            pieces += reached(edge, left: left, start: start, budget: budget)
        }
        let length = pieces.reduce(0) { $0 + ($1.to - $1.from) * Double(graph.distance[$1.edge]) }
        let walks = walks(start, within: budget)
        let lines =
            pieces.map {
                graph.line(of: PathEdge(edge: $0.edge, isReversed: false, enter: $0.from, leave: $0.to))
            } + walks
        return ReachableArea(
            start: start, limit: seconds, nodes: flood.nodes,
            seconds: flood.costs.map { $0 / weighted.profile.speed }, pieces: pieces, walks: walks,
            length: length,
            outline: AreaOutline.rings(around: lines),
            notice: ConnectedSnapping.notice(start, "the start", on: graph))
    }

    /// The lines over the area that a start is in, as far as they are reached.
    private func walks(_ start: SnappedPoint, within budget: Double) -> [[Coordinate]] {
        guard let area = start.area else { return [] }
        return area.exits.map { walk in
            let cost = weighted.cost(of: walk, on: area.edge)
            return PartialLine.part(of: walk.line, from: 0, to: cost > budget ? budget / cost : 1)
        }
    }

    /// The parts of an edge that are reached from its ends, and from the start on it. `left` is what is left of the budget where
    /// an arc begins.
    private func reached(
        _ edge: Int, left: [Int32: Double], start: SnappedPoint, budget: Double
    ) -> [ReachableArea.Piece] {
        var spans: [(from: Double, to: Double)] = []
        func share(_ rest: Double, _ cost: Double) -> Double { cost > 0 ? min(1, rest / cost) : 1 }
        let (there, back) = (weighted.forward[edge], weighted.backward[edge])
        if let rest = left[Int32(2 * edge)], there.isFinite { spans.append((0, share(rest, there))) }
        if let rest = left[Int32(2 * edge + 1)], back.isFinite { spans.append((1 - share(rest, back), 1)) }
        if edge == start.edge, start.area == nil {
            let at = start.fraction
            let ahead = there.isFinite ? min(1 - at, share(budget, there)) : 0
            let behind = back.isFinite ? min(at, share(budget, back)) : 0
            spans.append((at - behind, at + ahead))
        }
        var pieces: [ReachableArea.Piece] = []
        for span in spans.sorted(by: { $0.from < $1.from }) where span.to > span.from {
            if let last = pieces.last, span.from <= last.to {
                pieces[pieces.count - 1].to = max(last.to, span.to)
            } else {
                pieces.append(ReachableArea.Piece(edge: edge, from: span.from, to: span.to))
            }
        }
        return pieces
    }
}
