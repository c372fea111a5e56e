import PluginKit

/// Finds ways in a hierarchy: up from both ends along the elimination tree, without a heap.
struct HierarchyQuery<Recorder: TraceRecorder> {
    let costs: HierarchyCosts
    var trace: Recorder
    /// Without it only the cost is found.
    var wantsPath = true

    private struct Meeting {
        var best: Double
        /// The depth of the rank where the two sides meet.
        var depth = -1
        var visited = 0
    }

    /// Finds the cheapest way that costs less than the query's bound. Its seeds are ends of one edge, and so are its
    /// goals.
    mutating func run(_ query: SearchQuery) -> SearchOutcome {
        costs.withSpace { space in
            withExtendedLifetime(costs) { run(query, in: space) }
        }
    }

    private mutating func run(_ query: SearchQuery, in space: HierarchySpace) -> SearchOutcome {
        let meeting = climb(query, in: space)
        var outcome = SearchOutcome(settled: meeting.visited)
        guard meeting.depth >= 0 else { return outcome }
        guard wantsPath else {
            outcome.result = SearchResult(cost: meeting.best, edges: [], seed: 0, goal: 0)
            return outcome
        }
        let (seed, goal) = HierarchyPath(costs: costs, space: space).unpack(meeting.depth)
        outcome.result = SearchResult(cost: meeting.best, edges: space.edges.values, seed: seed, goal: goal)
        return outcome
    }

    /// What the loops touch, as bare pointers.
    private struct View {
        let ranks: UnsafePointer<ClimbRank>
        let arcs: PackedArcs.View
        let costs: UnsafeMutablePointer<Double>
        let origins: UnsafeMutablePointer<Int32>
        let chain: UnsafeMutablePointer<Int32>

        init(_ climb: ClimbArcs, _ arcs: PackedArcs, _ side: HierarchySide) {
            ranks = UnsafePointer(climb.ranks.base)
            self.arcs = arcs.view
            costs = side.costs.base
            origins = side.origins.base
            chain = side.ranks.base
        }

        /// The cost of a rank, which is forgotten for the next query.
        @inline(__always)
        func take(_ depth: Int, _ rank: Int32) -> Double {
            let cost = costs[depth]
            costs[depth] = .infinity
            chain[depth] = rank
            return cost
        }

        /// Goes over a rank's arcs.
        @inline(__always)
        func relax(_ cost: Double, from depth: Int32, _ first: Int32, _ end: Int32) {
            var arc = Int(first)
            let end = Int(end)
            while arc < end {
                let head = arcs.head(arc)
                let whole = cost + arcs.cost(arc)
                if whole < costs[head] {
                    costs[head] = whole
                    origins[head] = depth
                }
                arc &+= 1
            }
        }
    }

    private mutating func climb(_ query: SearchQuery, in space: HierarchySpace) -> Meeting {
        let climb = costs.climb
        let there = View(climb, climb.forward, space.forward)
        let back = View(climb, climb.backward, space.backward)
        var meeting = Meeting(best: query.bound)
        var rank = space.forward.begin(query.seeds, costs.hierarchy, climb)
        var other = space.backward.begin(query.goals, costs.hierarchy, climb)
        // Below the first common ancestor each side is alone. A parent's rank is above its children's.
        while rank != other {
            meeting.visited &+= 1
            let isForward = rank < other
            let lower = isForward ? rank : other
            let (this, next) = (there.ranks[Int(lower)], there.ranks[Int(lower) &+ 1])
            let depth = Int(this.depth)
            if isForward {
                let cost = there.take(depth, lower)
                record(lower, f: cost, b: .infinity, best: meeting.best)
                if cost < meeting.best {
                    there.relax(cost, from: this.depth, this.firstForward, next.firstForward)
                }
                rank = this.parent
            } else {
                let cost = back.take(depth, lower)
                record(lower, f: .infinity, b: cost, best: meeting.best)
                if cost < meeting.best {
                    back.relax(cost, from: this.depth, this.firstBackward, next.firstBackward)
                }
                other = this.parent
            }
        }
        let root = Int32(truncatingIfNeeded: costs.hierarchy.nodeCount)
        while rank < root {
            meeting.visited &+= 1
            let (this, next) = (there.ranks[Int(rank)], there.ranks[Int(rank) &+ 1])
            let depth = Int(this.depth)
            let (f, b) = (there.take(depth, rank), back.take(depth, rank))
            if f + b < meeting.best { (meeting.best, meeting.depth) = (f + b, depth) }
            record(rank, f: f, b: b, best: meeting.best)
            if f < meeting.best { there.relax(f, from: this.depth, this.firstForward, next.firstForward) }
            if b < meeting.best { back.relax(b, from: this.depth, this.firstBackward, next.firstBackward) }
            rank = this.parent
        }
        return meeting
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
    private let hierarchy: Hierarchy
    private let pieces: UnsafePointer<ArcOrigin>
    private let space: HierarchySpace

    init(costs: HierarchyCosts, space: HierarchySpace) {
        hierarchy = costs.hierarchy
        pieces = UnsafePointer(costs.origins.base)
        self.space = space
    }

    /// Unpacks the way through a meeting point into the space's edges; gives the indices of seed and goal.
    func unpack(_ meeting: Int) -> (seed: Int, goal: Int) {
        var (edges, waiting) = (space.edges, space.waiting)
        defer { (space.edges, space.waiting) = (edges, waiting) }
        edges.removeAll()
        waiting.removeAll()
        var depth = meeting
        while let (arc, from) = arc(to: depth, space.forward) {
            waiting.push(ArcPiece.up(arc).code)
            depth = from
        }
        let seed = -1 - Int(space.forward.origins.base[depth])
        unpack(&waiting, &edges)
        depth = meeting
        while let (arc, from) = arc(to: depth, space.backward) {
            waiting.push(ArcPiece.down(arc).code)
            unpack(&waiting, &edges)
            depth = from
        }
        return (seed, -1 - Int(space.backward.origins.base[depth]))
    }

    /// The arc by which a depth was reached, and from where; `nil` for an end.
    private func arc(to depth: Int, _ side: HierarchySide) -> (arc: Int, from: Int)? {
        let from = Int(side.origins.base[depth])
        guard from >= 0 else { return nil }
        let (low, high) = (side.ranks.base[from], side.ranks.base[depth])
        let (first, end) = (Int(hierarchy.firstUp[low]), Int(hierarchy.firstUp[Int(low) + 1]))
        return (Hierarchy.search(hierarchy.heads.buffer, first, end, high), from)
    }

    @inline(__always)
    private func unpack(_ waiting: inout PieceStack, _ edges: inout PieceStack) {
        while var code = waiting.pop() {
            // Down the first halves; the second halves wait.
            while code >= 0 {
                let origin = pieces[Int(code)]
                if !origin.isEdge { waiting.push(origin.second.code) }
                code = origin.first.code
            }
            edges.push(ArcPiece(code: code).edgeAndDirection)
        }
    }
}
