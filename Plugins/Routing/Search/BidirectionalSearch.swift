import PluginKit

/// A* from both ends at once.
///
/// Method: Ikeda and others 1994. Both sides use half the difference of the two straight-line estimates, once
/// with each sign, so that both see the same reduced costs; when the two least keys together reach the best way
/// known, nothing cheaper is left.
struct BidirectionalSearch<Recorder: TraceRecorder> {
    let weighted: WeightedGraph
    var trace: Recorder

    /// A side of the search.
    private enum Side {
        case forward
        case backward
    }

    /// What both sides know.
    private struct Meeting {
        var best: Double
        var node: Int32 = -1
    }

    /// Finds the cheapest way that costs less than the query's bound.
    mutating func run(_ query: SearchQuery) throws -> SearchOutcome {
        guard !query.seeds.isEmpty, !query.goals.isEmpty else { return SearchOutcome() }
        let count = weighted.graph.nodeCount
        let balance = Balance(
            toGoal: StraightLine(weighted, to: query.goals), toSeed: StraightLine(weighted, to: query.seeds))
        return try weighted.spaces.withSpace(count: count) { forward in
            try weighted.spaces.withSpace(count: count) { backward in
                try withExtendedLifetime(weighted) { try run(query, balance, forward, backward) }
            }
        }
    }

    private mutating func run(
        _ query: SearchQuery, _ balance: Balance, _ forward: SearchSpace, _ backward: SearchSpace
    ) throws -> SearchOutcome {
        _ = (forward.begin(), backward.begin())
        seed(query.seeds, forward, balance, sign: 1)
        seed(query.goals, backward, balance, sign: -1)
        var outcome = SearchOutcome()
        var meeting = Meeting(best: query.bound)
        for seed in query.seeds { meet(Int(seed.node), forward, backward, &meeting) }
        while !forward.heap.isEmpty, !backward.heap.isEmpty,
            forward.heap.leastKey + backward.heap.leastKey < meeting.best
        {
            let isForward = forward.heap.count <= backward.heap.count
            let settled =
                isForward
                ? step(.forward, forward, backward, balance, &meeting)
                : step(.backward, backward, forward, balance, &meeting)
            if settled { outcome.settled += 1 }
            if outcome.settled % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
        }
        if meeting.node >= 0 { outcome.result = result(meeting, forward, backward) }
        return outcome
    }

    private func seed(_ ends: [SearchEnd], _ space: SearchSpace, _ balance: Balance, sign: Double) {
        for (index, end) in ends.enumerated() where end.cost < space.cost(of: Int(end.node)) {
            let h = sign * balance.estimate(end.node)
            space.labels[Int(end.node)] = NodeLabel(
                g: end.cost, h: h, arc: Int32(-1 - index), stamp: space.stamp)
            space.heap.push(HeapEntry(key: end.cost + h, node: end.node))
        }
    }

    /// Settles the next node of a side; `false` when its entry was out of date.
    @inline(__always)
    private mutating func step(
        _ side: Side, _ space: SearchSpace, _ other: SearchSpace, _ balance: Balance, _ meeting: inout Meeting
    ) -> Bool {
        let node = space.heap.pop().node
        let labels = space.labels
        guard labels[Int(node)].stamp == space.stamp else { return false }
        labels[Int(node)].stamp = space.stamp &+ 1
        record(node, space, side)
        let g = labels[Int(node)].g
        let sign: Double = side == .forward ? 1 : -1
        let costs = side == .forward ? weighted.out : weighted.into
        for index in weighted.graph.arcRange(of: Int(node)) {
            let head = Int(weighted.graph.arcs[index].head)
            let cost = g + costs[index]
            guard cost < space.cost(of: head) else {
                record(node, index, space, old: space.cost(of: head), new: cost, side)
                continue
            }
            let isKnown = labels[head].stamp == space.stamp
            record(node, index, space, old: isKnown ? labels[head].g : nil, new: cost, side)
            let h = isKnown ? labels[head].h : sign * balance.estimate(Int32(head))
            labels[head] = NodeLabel(g: cost, h: h, arc: Int32(index), stamp: space.stamp)
            space.heap.push(HeapEntry(key: cost + h, node: Int32(head)))
            meet(head, space, other, &meeting)
        }
        return true
    }

    @inline(__always)
    private func meet(_ node: Int, _ space: SearchSpace, _ other: SearchSpace, _ meeting: inout Meeting) {
        let whole = space.cost(of: node) + other.cost(of: node)
        if whole < meeting.best { meeting = Meeting(best: whole, node: Int32(node)) }
    }

    private func result(_ meeting: Meeting, _ forward: SearchSpace, _ backward: SearchSpace) -> SearchResult {
        let there = forward.path(to: meeting.node, in: weighted.graph)
        let back = backward.path(to: meeting.node, in: weighted.graph)
        // The backward side left its nodes against the direction of travel.
        let rest = back.edges.reversed().map { $0 ^ 1 }
        return SearchResult(cost: meeting.best, edges: there.edges + rest, seed: there.seed, goal: back.seed)
    }

    @inline(__always)
    private mutating func record(_ node: Int32, _ space: SearchSpace, _ side: Side) {
        let (graph, label, waiting) = (weighted.graph, space.labels[Int(node)], space.heap.count)
        trace.record(
            SearchSteps.settled(
                node, label, waiting: waiting, in: graph, side: side == .forward ? "forward" : "backward"))
    }

    @inline(__always)
    private mutating func record(
        _ node: Int32, _ index: Int, _ space: SearchSpace, old: Double?, new: Double, _ side: Side
    ) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.relaxed(
                node, graph.arcs[index], old: old.flatMap { $0.isFinite ? $0 : nil }, new: new,
                isSettled: space.isSettled(Int(graph.arcs[index].head)), in: graph,
                side: side == .forward ? "forward" : "backward"))
    }
}

/// Half the difference of the estimates to the two ends.
struct Balance {
    let toGoal: StraightLine
    let toSeed: StraightLine

    @inline(__always)
    func estimate(_ node: Int32) -> Double { (toGoal.estimate(node) - toSeed.estimate(node)) / 2 }
}
