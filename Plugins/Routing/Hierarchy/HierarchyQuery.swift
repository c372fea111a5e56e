import PluginKit

/// Finds ways in a hierarchy: up from both ends along the elimination tree, without a heap.
struct HierarchyQuery<Recorder: TraceRecorder> {
    let costs: HierarchyCosts
    var trace: Recorder
    /// Without it only the cost is found.
    var wantsPath = true

    private struct Meeting {
        var best: Double
        var rank: Int32 = -1
        var visited = 0
    }

    /// Finds the cheapest way that costs less than the query's bound.
    mutating func run(_ query: SearchQuery) -> SearchOutcome {
        costs.withSpace { space in
            withExtendedLifetime(costs) { run(query, in: space) }
        }
    }

    private mutating func run(_ query: SearchQuery, in space: HierarchySpace) -> SearchOutcome {
        let meeting = climb(query, in: space)
        var outcome = SearchOutcome(settled: meeting.visited)
        guard meeting.rank >= 0 else { return outcome }
        guard wantsPath else {
            outcome.result = SearchResult(cost: meeting.best, edges: [], seed: 0, goal: 0)
            return outcome
        }
        var path = HierarchyPath(costs: costs)
        let (seed, goal) = path.unpack(meeting.rank, space)
        outcome.result = SearchResult(cost: meeting.best, edges: path.edges, seed: seed, goal: goal)
        return outcome
    }

    /// The ranks above any of up to two ends, in order.
    private struct Ascent {
        var one: Int32
        var two: Int32

        var next: Int32 {
            @inline(__always) get { min(one, two) }
        }

        @inline(__always)
        mutating func pass(_ rank: Int32, parent: Int32) {
            if one == rank { one = parent }
            if two == rank { two = parent }
        }
    }

    private mutating func climb(_ query: SearchQuery, in space: HierarchySpace) -> Meeting {
        let labels = space.labels.base
        let (ranks, ups, downs) = (
            costs.climb.ranks.base, costs.climb.forward.base, costs.climb.backward.base
        )
        let root = Int32(truncatingIfNeeded: costs.hierarchy.nodeCount)
        var meeting = Meeting(best: query.bound)
        var there = start(query.seeds, labels, isForward: true)
        var back = start(query.goals, labels, isForward: false)
        while true {
            let rank = min(there.next, back.next)
            guard rank < root else { break }
            meeting.visited &+= 1
            let (this, following) = (ranks[Int(rank)], ranks[Int(rank) &+ 1])
            let (f, b) = (labels[Int(rank)].forward, labels[Int(rank)].backward)
            labels[Int(rank)].forward = .infinity
            labels[Int(rank)].backward = .infinity
            if f + b < meeting.best { (meeting.best, meeting.rank) = (f + b, rank) }
            record(rank, f: f, b: b, best: meeting.best)
            if f < meeting.best {
                for index in Int(this.firstForward)..<Int(following.firstForward) {
                    labels[Int(ups[index].head)].reach(forward: f, ups[index], from: rank)
                }
            }
            if b < meeting.best {
                for index in Int(this.firstBackward)..<Int(following.firstBackward) {
                    labels[Int(downs[index].head)].reach(backward: b, downs[index], from: rank)
                }
            }
            there.pass(rank, parent: this.parent)
            back.pass(rank, parent: this.parent)
        }
        return meeting
    }

    private func start(
        _ ends: [SearchEnd], _ labels: UnsafeMutablePointer<HierarchyLabel>, isForward: Bool
    ) -> Ascent {
        let root = Int32(costs.hierarchy.nodeCount)
        var ascent = Ascent(one: root, two: root)
        for (index, end) in ends.prefix(2).enumerated() {
            let rank = costs.hierarchy.rank[end.node]
            let label = labels + Int(rank)
            if index == 0 { ascent.one = rank } else { ascent.two = rank }
            if isForward, end.cost < label.pointee.forward {
                (label.pointee.forward, label.pointee.forwardArc) = (end.cost, Int32(-1 - index))
            } else if !isForward, end.cost < label.pointee.backward {
                (label.pointee.backward, label.pointee.backwardArc) = (end.cost, Int32(-1 - index))
            }
        }
        return ascent
    }

    @inline(__always)
    private mutating func record(_ rank: Int32, f: Double, b: Double, best: Double) {
        let (graph, hierarchy) = (costs.weighted.graph, costs.hierarchy)
        trace.record(
            TraceStep(
                "climb",
                [
                    ("node", .integer(Int(graph.nodeID[hierarchy.node[rank]]))),
                    ("rank", .integer(Int(rank))),
                    ("at", .coordinate(graph.coordinate(of: Int(hierarchy.node[rank])).withoutAltitude)),
                    ("forward", f.isFinite ? .number(f) : .nothing),
                    ("backward", b.isFinite ? .number(b) : .nothing),
                    ("best", best.isFinite ? .number(best) : .nothing),
                ], why: "the next node above either end in the elimination tree"))
    }
}

/// Turns arcs of a hierarchy into the edges they stand for.
private struct HierarchyPath {
    /// An arc and the direction it is travelled in.
    private struct Piece {
        var arc: Int32
        var isUp: Bool
    }

    let costs: HierarchyCosts
    private(set) var edges: [Int32] = []
    private var waiting: [Piece] = []

    init(costs: HierarchyCosts) { self.costs = costs }

    /// Unpacks the way through a meeting point; gives the indices of seed and goal.
    mutating func unpack(_ meeting: Int32, _ space: HierarchySpace) -> (seed: Int, goal: Int) {
        edges.reserveCapacity(256)
        let labels = space.labels.base
        var label = labels[Int(meeting)]
        while label.forwardArc >= 0 {
            waiting.append(Piece(arc: label.forwardArc, isUp: true))
            label = labels[Int(label.forwardFrom)]
        }
        let seed = Int(-1 - label.forwardArc)
        unpackWaiting()
        label = labels[Int(meeting)]
        while label.backwardArc >= 0 {
            waiting.append(Piece(arc: label.backwardArc, isUp: false))
            unpackWaiting()
            label = labels[Int(label.backwardFrom)]
        }
        return (seed, Int(-1 - label.backwardArc))
    }

    private mutating func unpackWaiting() {
        while let piece = waiting.popLast() {
            let origin =
                piece.isUp ? costs.upOrigin.base[Int(piece.arc)] : costs.downOrigin.base[Int(piece.arc)]
            guard origin.low >= 0 else {
                edges.append(-1 - origin.low)
                continue
            }
            // The arc leads over a rank below both of its ends: down to that, and up again.
            waiting.append(Piece(arc: piece.isUp ? origin.high : origin.low, isUp: true))
            waiting.append(Piece(arc: piece.isUp ? origin.low : origin.high, isUp: false))
        }
    }
}
