import PluginKit

/// A* from both ends at once.
///
/// Method: Ikeda and others 1994. Both sides use half the difference of the two straight-line estimates
/// with opposite signs, so that both have the same reduced costs; when the sum of the two least keys
/// reaches the best known cost, no cheaper path is left.
struct BidirectionalSearch<Recorder: TraceRecorder> {
    let weighted: WeightedGraph
    var trace: Recorder

    /// A side of the search.
    enum Side: String {
        case forward
        case backward
    }

    /// The state of both sides.
    private struct Meeting {
        var best: Double
        var node: Int32 = -1
    }

    /// Finds the cheapest path with a cost below the query's bound.
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
        let there = SearchView(weighted, weighted.out, forward)
        let back = SearchView(weighted, weighted.into, backward)
        seed(query.seeds, there, balance, sign: 1)
        seed(query.goals, back, balance, sign: -1)
        recordStart(query, there)
        var outcome = SearchOutcome()
        var meeting = Meeting(best: query.bound)
        for seed in query.seeds { meet(Int(seed.node), .forward, there, back, &meeting) }
        while !there.heap.pointee.isEmpty, !back.heap.pointee.isEmpty,
            there.heap.pointee.leastKey + back.heap.pointee.leastKey < meeting.best
        {
            let isForward = there.heap.pointee.count <= back.heap.pointee.count
            let settled =
                isForward
                ? step(.forward, there, back, balance, &meeting)
                : step(.backward, back, there, balance, &meeting)
            guard settled else { continue }
            outcome.settled &+= 1
            if outcome.settled % RoutingSettings.cancellationStep == 0 { try Interruption.check() }
        }
        if meeting.node >= 0 { outcome.result = result(meeting, forward, backward) }
        recordEnd(query, outcome, meeting.best, there, back)
        return outcome
    }

    private func seed(_ ends: [SearchEnd], _ view: SearchView, _ balance: Balance, sign: Double) {
        for (index, end) in ends.enumerated() where end.cost < view.cost(of: Int(end.node)) {
            let h = sign * balance.estimate(end.node)
            view.labels[Int(end.node)] = NodeLabel(
                g: end.cost, h: h, arc: Int32(-1 - index), stamp: view.stamp)
            view.heap.pointee.push(HeapEntry(key: end.cost + h, node: end.node))
        }
    }

    /// Settles the next node of a side; `false` for an outdated entry.
    @inline(__always)
    private mutating func step(
        _ side: Side, _ view: SearchView, _ other: SearchView, _ balance: Balance, _ meeting: inout Meeting
    ) -> Bool {
        let node = view.heap.pointee.pop().node
        let labels = view.labels
        guard labels[Int(node)].stamp == view.stamp else { return false }
        labels[Int(node)].stamp = view.stamp &+ 1
        record(node, view, side)
        let g = labels[Int(node)].g
        let sign: Double = side == .forward ? 1 : -1
        var index = Int(view.firstArc[Int(node)])
        let end = Int(view.firstArc[Int(node) &+ 1])
        while index < end {
            let head = Int(view.arcs[index].head)
            let cost = g + view.costs[index]
            let known = view.cost(of: head)
            let wasSettled = labels[head].stamp == view.stamp &+ 1
            if cost < known {
                let isWaiting = labels[head].stamp == view.stamp
                let h = isWaiting ? labels[head].h : sign * balance.estimate(Int32(head))
                labels[head] = NodeLabel(g: cost, h: h, arc: Int32(index), stamp: view.stamp)
                view.heap.pointee.push(HeapEntry(key: cost + h, node: Int32(head)))
            }
            record(node, index, view, old: known, new: cost, wasSettled: wasSettled, side)
            if cost < known { meet(head, side, view, other, &meeting) }
            index &+= 1
        }
        return true
    }

    @inline(__always)
    private mutating func meet(
        _ node: Int, _ side: Side, _ view: SearchView, _ other: SearchView, _ meeting: inout Meeting
    ) {
        let whole = view.cost(of: node) + other.cost(of: node)
        guard whole < meeting.best else { return }
        recordMeeting(node, side, here: view.cost(of: node), there: other.cost(of: node), old: meeting.best)
        meeting = Meeting(best: whole, node: Int32(node))
    }

    private func result(_ meeting: Meeting, _ forward: SearchSpace, _ backward: SearchSpace) -> SearchResult {
        let there = forward.path(to: meeting.node, in: weighted.graph)
        let back = backward.path(to: meeting.node, in: weighted.graph)
        // The backward side travels arcs against their direction.
        let rest = back.edges.reversed().map { $0 ^ 1 }
        return SearchResult(cost: meeting.best, edges: there.edges + rest, seed: there.seed, goal: back.seed)
    }
}

/// Half the difference of the estimates to the two ends.
struct Balance {
    let toGoal: StraightLine
    let toSeed: StraightLine

    @inline(__always)
    func estimate(_ node: Int32) -> Double { (toGoal.estimate(node) - toSeed.estimate(node)) / 2 }
}
