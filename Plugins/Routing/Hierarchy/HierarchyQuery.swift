import PluginKit

/// Finds ways in a hierarchy: up from both ends along the elimination tree, without a heap.
struct HierarchyQuery<Recorder: TraceRecorder> {
    let costs: HierarchyCosts
    var trace: Recorder

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
        let hierarchy = costs.hierarchy
        let root = Int32(hierarchy.nodeCount)
        var meeting = Meeting(best: query.bound)
        var there = start(query.seeds, space.forward.base)
        var back = start(query.goals, space.backward.base)
        let (forward, backward) = (space.forward.base, space.backward.base)
        while true {
            let rank = min(there.next, back.next)
            guard rank < root else { break }
            meeting.visited += 1
            let (isForward, isBackward) = (there.next == rank, back.next == rank)
            let parent = hierarchy.parent(rank)
            let (f, b) = (forward[Int(rank)].cost, backward[Int(rank)].cost)
            if f + b < meeting.best { (meeting.best, meeting.rank) = (f + b, rank) }
            record(rank, f: f, b: b, best: meeting.best)
            if isForward {
                forward[Int(rank)].cost = .infinity
                if f < meeting.best { relax(rank, f, forward, costs.up.base) }
                there.pass(rank, parent: parent)
            }
            if isBackward {
                backward[Int(rank)].cost = .infinity
                if b < meeting.best { relax(rank, b, backward, costs.down.base) }
                back.pass(rank, parent: parent)
            }
        }
        return meeting
    }

    private func start(_ ends: [SearchEnd], _ labels: UnsafeMutablePointer<HierarchyLabel>) -> Ascent {
        let root = Int32(costs.hierarchy.nodeCount)
        var ascent = Ascent(one: root, two: root)
        for (index, end) in ends.prefix(2).enumerated() {
            let rank = costs.hierarchy.rank[end.node]
            if index == 0 { ascent.one = rank } else { ascent.two = rank }
            guard end.cost < labels[Int(rank)].cost else { continue }
            labels[Int(rank)] = HierarchyLabel(cost: end.cost, arc: Int32(-1 - index), from: -1)
        }
        return ascent
    }

    @inline(__always)
    private func relax(
        _ rank: Int32, _ cost: Double, _ labels: UnsafeMutablePointer<HierarchyLabel>,
        _ weights: UnsafeMutablePointer<Double>
    ) {
        let heads = costs.hierarchy.heads.base
        var arc = Int(costs.hierarchy.firstUp[rank])
        let end = Int(costs.hierarchy.firstUp[rank &+ 1])
        while arc < end {
            let head = Int(heads[arc])
            let whole = cost + weights[arc]
            if whole < labels[head].cost {
                labels[head] = HierarchyLabel(cost: whole, arc: Int32(truncatingIfNeeded: arc), from: rank)
            }
            arc &+= 1
        }
    }

    @inline(__always)
    private mutating func record(_ rank: Int32, f: Double, b: Double, best: Double) {
        let (graph, hierarchy) = (costs.weighted.graph, costs.hierarchy)
        trace.record(
            TraceStep(
                "climb",
                [
                    ("node", .integer(Int(graph.nodeID[hierarchy.node[rank]]))), ("rank", .integer(Int(rank))),
                    ("at", .coordinate(graph.coordinate(of: Int(hierarchy.node[rank])).withoutAltitude)),
                    ("forward", f.isFinite ? .number(f) : .nothing),
                    ("backward", b.isFinite ? .number(b) : .nothing),
                    ("best", best.isFinite ? .number(best) : .nothing),
                ], why: "the next node above either end in the elimination tree"))
    }
}

/// Turns arcs of a hierarchy into the edges they stand for.
private struct HierarchyPath {
    /// An arc with its lower end and the direction it is travelled in.
    private struct Piece {
        var arc: Int
        var low: Int32
        var isUp: Bool
    }

    let costs: HierarchyCosts
    private(set) var edges: [Int32] = []
    private var waiting: [Piece] = []

    init(costs: HierarchyCosts) { self.costs = costs }

    /// Unpacks the way through a meeting point; gives the indices of seed and goal.
    mutating func unpack(_ meeting: Int32, _ space: HierarchySpace) -> (seed: Int, goal: Int) {
        var there: [Piece] = []
        var label = space.forward.base[Int(meeting)]
        while label.arc >= 0 {
            there.append(Piece(arc: Int(label.arc), low: label.from, isUp: true))
            label = space.forward.base[Int(label.from)]
        }
        let seed = Int(-1 - label.arc)
        for piece in there.reversed() { unpack(piece) }
        label = space.backward.base[Int(meeting)]
        while label.arc >= 0 {
            unpack(Piece(arc: Int(label.arc), low: label.from, isUp: false))
            label = space.backward.base[Int(label.from)]
        }
        return (seed, Int(-1 - label.arc))
    }

    private mutating func unpack(_ piece: Piece) {
        waiting.append(piece)
        while let piece = waiting.popLast() {
            let via = piece.isUp ? costs.upVia.base[piece.arc] : costs.downVia.base[piece.arc]
            guard via >= 0 else {
                edges.append(-1 - via)
                continue
            }
            // The arc between low and high leads over a still lower rank: down to it, and up again.
            let high = costs.hierarchy.heads[piece.arc]
            let (from, to) = piece.isUp ? (piece.low, high) : (high, piece.low)
            waiting.append(Piece(arc: costs.hierarchy.arc(via, to), low: via, isUp: true))
            waiting.append(Piece(arc: costs.hierarchy.arc(via, from), low: via, isUp: false))
        }
    }
}
