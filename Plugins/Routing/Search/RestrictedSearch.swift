import PluginKit

/// A* over arcs and the states of turn restrictions: the cheapest path without a forbidden turn, and without turning
/// back.
///
/// It is run where the cheapest path takes a forbidden turn: any other path is already the answer.
struct RestrictedSearch {
    let weighted: WeightedGraph
    let turns: TurnRestrictions

    private struct Label {
        var node: Int32
        var state: Int32
        var cost: Double
        /// The label before; below 0 for a seed: −1 for the first.
        var parent: Int32
        /// The arc on which the node was reached; below 0 for none.
        var arc: Int32
        var isSettled = false
    }

    /// The labels of a search by arc and state, and the heap of their numbers.
    private struct Space: ~Copyable {
        var labels: [Label] = []
        var known: [UInt64: Int32] = [:]
        var heap = SearchHeap()

        mutating func reach(_ label: Label, estimate: Double) {
            let key = UInt64(UInt32(bitPattern: label.arc)) << 32 | UInt64(UInt32(bitPattern: label.state))
            let index = known[key] ?? Int32(labels.count)
            if known[key] == nil {
                known[key] = index
                labels.append(label)
            } else {
                guard label.cost < labels[Int(index)].cost, !labels[Int(index)].isSettled else { return }
                labels[Int(index)] = label
            }
            heap.push(HeapEntry(key: label.cost + estimate, node: index))
        }
    }

    /// Finds the path of a query. `seedArcs` and `goalArcs` are those on which one comes to each seed and leaves each goal;
    /// `nil` for none.
    func run(_ query: SearchQuery, seedArcs: [Int32?], goalArcs: [Int32?]) throws -> SearchOutcome {
        var outcome = SearchOutcome()
        guard !query.seeds.isEmpty, !query.goals.isEmpty else { return outcome }
        let line = StraightLine(weighted, to: query.goals)
        var space = Space()
        for (index, seed) in query.seeds.enumerated() {
            let label = Label(
                node: seed.node, state: seedArcs[index].map { turns.state(after: 0, $0) } ?? 0,
                cost: seed.cost,
                parent: Int32(-1 - index), arc: seedArcs[index] ?? Int32(-1 - index))
            space.reach(label, estimate: line.estimate(seed.node))
        }
        var (best, goal, end) = (query.bound, -1, Int32(-1))
        while !space.heap.isEmpty, space.heap.leastKey < best {
            let index = space.heap.pop().node
            guard !space.labels[Int(index)].isSettled else { continue }
            space.labels[Int(index)].isSettled = true
            outcome.settled += 1
            if outcome.settled % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
            let label = space.labels[Int(index)]
            for (number, one) in query.goals.enumerated() where one.node == label.node {
                guard label.cost + one.cost < best, mayEnd(label, on: goalArcs[number]) else { continue }
                (best, goal, end) = (label.cost + one.cost, number, index)
            }
            relax(label, index, line, &space)
        }
        guard goal >= 0 else { return outcome }
        var edges: [Int32] = []
        var place = end
        // The arc of a seed is the part of an edge before it.
        while space.labels[Int(place)].parent >= 0 {
            edges.append(space.labels[Int(place)].arc)
            place = space.labels[Int(place)].parent
        }
        outcome.result = SearchResult(
            cost: best, edges: edges.reversed(), seed: Int(-1 - space.labels[Int(place)].parent), goal: goal)
        return outcome
    }

    /// All nodes within a cost without a forbidden turn, and what is left of the budget where each arc begins that one may take.
    func flood(
        _ seeds: [SearchEnd], seedArcs: [Int32?], within budget: Double
    ) throws -> (flood: Flood, left: [Int32: Double]) {
        var (flood, left): (Flood, [Int32: Double]) = (Flood(), [:])
        var known: Set<Int32> = []
        var space = Space()
        for (index, seed) in seeds.enumerated() where seed.cost <= budget {
            let arc = seedArcs[index]
            space.reach(
                Label(
                    node: seed.node, state: arc.map { turns.state(after: 0, $0) } ?? 0, cost: seed.cost,
                    parent: Int32(-1 - index), arc: arc ?? Int32(-1 - index)), estimate: 0)
        }
        while !space.heap.isEmpty {
            let index = space.heap.pop().node
            guard !space.labels[Int(index)].isSettled else { continue }
            space.labels[Int(index)].isSettled = true
            let label = space.labels[Int(index)]
            if known.insert(label.node).inserted { flood.settle(label.node, at: label.cost) }
            if known.count % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
            forEachStep(from: label) { next in
                let arc = next.arc
                left[arc] = max(left[arc] ?? 0, budget - label.cost)
                var next = next
                next.parent = index
                if next.cost <= budget { space.reach(next, estimate: 0) }
            }
        }
        return (flood, left)
    }

    private func mayEnd(_ label: Label, on arc: Int32?) -> Bool {
        guard let arc else { return true }
        return mayFollow(arc, label) && !turns.isForbidden(turns.state(after: label.state, arc))
    }

    /// Whether an arc does not lead back: nobody turns round in a street to get round a forbidden turn.
    private func mayFollow(_ arc: Int32, _ label: Label) -> Bool {
        label.arc < 0 || arc >> 1 != label.arc >> 1
    }

    private func relax(_ label: Label, _ index: Int32, _ line: StraightLine, _ space: inout Space) {
        forEachStep(from: label) { next in
            var next = next
            next.parent = index
            space.reach(next, estimate: line.estimate(next.node))
        }
    }

    /// The labels behind the arcs that may follow a label, without their parent.
    @inline(__always)
    private func forEachStep(from label: Label, _ body: (Label) -> Void) {
        let (graph, out) = (weighted.graph, weighted.out)
        for place in graph.arcRange(of: Int(label.node)) {
            let (arc, cost) = (graph.arcs[place], label.cost + out[place])
            guard cost < .infinity, mayFollow(arc.edgeAndDirection, label) else { continue }
            let state = turns.state(after: label.state, arc.edgeAndDirection)
            guard !turns.isForbidden(state) else { continue }
            body(Label(node: arc.head, state: state, cost: cost, parent: -1, arc: arc.edgeAndDirection))
        }
    }
}
