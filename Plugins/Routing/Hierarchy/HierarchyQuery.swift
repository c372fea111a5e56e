import PluginKit

/// Searches in a hierarchy: climbs from both ends along the elimination tree, without a heap.
struct HierarchyQuery<Recorder: TraceRecorder> {
    let costs: HierarchyCosts
    var trace: Recorder
    /// If false, only the cost is computed.
    var wantsPath = true

    private struct Meeting {
        /// In units of `CostPacking`.
        var best: Int64
        /// The depth of the rank where the two sides meet.
        var depth = -1
        var visited = 0
    }

    /// Finds the cheapest path with a cost below the query's bound. Its seeds are the ends of one edge, and
    /// so are its goals.
    mutating func run(_ query: SearchQuery) -> SearchOutcome {
        costs.withSpace { space in
            withExtendedLifetime(costs) { run(query, in: space) }
        }
    }

    private mutating func run(_ query: SearchQuery, in space: HierarchySpace) -> SearchOutcome {
        recordStart(query)
        let meeting = climb(query, in: space)
        var outcome = SearchOutcome(settled: meeting.visited)
        guard meeting.depth >= 0 else {
            recordEnd(query, outcome, meeting: -1, space)
            return outcome
        }
        let cost = costs.climb.words.cost(units: meeting.best)
        guard wantsPath else {
            outcome.result = SearchResult(cost: cost, edges: [], seed: 0, goal: 0)
            return outcome
        }
        let (seed, goal) = HierarchyPath(costs: costs, space: space).unpack(meeting.depth, query)
        outcome.result = SearchResult(cost: cost, edges: space.edges.values, seed: seed, goal: goal)
        recordEnd(query, outcome, meeting: meeting.depth, space)
        return outcome
    }

    /// Raw pointers to the data of the loops.
    private struct View {
        let arcs: Column<Int64>
        let labels: UnsafeMutablePointer<Int64>
        let trail: UnsafeMutablePointer<HierarchySide.FinalLabel>
        let bits: Int64
        let mask: Int64

        init(_ climb: UpwardArcs, _ arcs: PackedArcs, _ side: HierarchySide) {
            self.arcs = arcs.words
            labels = side.labels.base
            trail = side.trail.base
            (bits, mask) = (climb.words.depthBits, climb.words.depthMask)
        }

        /// Returns the cost of a rank in units and resets it for the next query.
        @inline(__always)
        func take(_ depth: Int, _ rank: Int32) -> Int64 {
            let label = labels[depth]
            labels[depth] = CostPacking.infinity
            trail[depth] = .init(rank: rank, origin: Int32(truncatingIfNeeded: label & mask))
            return label &>> bits
        }

        /// Relaxes the arcs of a rank.
        @inline(__always)
        func relax(_ units: Int64, from depth: Int, _ first: Int32, _ end: Int32) {
            let base = units &<< bits | Int64(depth)
            var arc = Int(first)
            let end = Int(end)
            guard arc < end else { return }
            self.arcs.check(arc..<end)
            let arcs = self.arcs.start
            while arc < end {
                let word = arcs[arc]
                let head = Int(word & mask)
                labels[head] = min(labels[head], base &+ (word & ~mask))
                arc &+= 1
            }
        }
    }

    private mutating func climb(_ query: SearchQuery, in space: HierarchySpace) -> Meeting {
        let climb = costs.climb
        let ranks = climb.ranks
        let there = View(climb, climb.forward, space.forward)
        let back = View(climb, climb.backward, space.backward)
        var meeting = Meeting(best: climb.words.units(query.bound))
        var rank = space.forward.begin(query.seeds, costs.hierarchy, climb)
        var other = space.backward.begin(query.goals, costs.hierarchy, climb)
        // Below the first common ancestor the sides are independent. A parent's rank is above its
        // children's.
        while rank != other {
            meeting.visited &+= 1
            let isForward = rank < other
            let lower = isForward ? rank : other
            let (this, next) = (ranks[lower], ranks[Int(lower) &+ 1])
            let depth = Int(this.depth)
            // Only in a damaged file.
            guard this.parent > lower else { return meeting }
            if isForward {
                let cost = there.take(depth, lower)
                record(lower, depth: this.depth, f: cost, b: nil, best: meeting.best, in: space)
                if cost < meeting.best {
                    there.relax(cost, from: depth, this.firstForward, next.firstForward)
                }
                rank = this.parent
            } else {
                let cost = back.take(depth, lower)
                record(lower, depth: this.depth, f: nil, b: cost, best: meeting.best, in: space)
                if cost < meeting.best {
                    back.relax(cost, from: depth, this.firstBackward, next.firstBackward)
                }
                other = this.parent
            }
        }
        let root = Int32(truncatingIfNeeded: costs.hierarchy.nodeCount)
        while rank < root {
            meeting.visited &+= 1
            let (this, next) = (ranks[rank], ranks[Int(rank) &+ 1])
            let depth = Int(this.depth)
            guard this.parent > rank else { return meeting }
            let (f, b) = (there.take(depth, rank), back.take(depth, rank))
            record(rank, depth: this.depth, f: f, b: b, best: meeting.best, in: space)
            if f &+ b < meeting.best {
                recordMeeting(rank, f: f, b: b, old: meeting.best)
                (meeting.best, meeting.depth) = (f &+ b, depth)
            }
            if f < meeting.best { there.relax(f, from: depth, this.firstForward, next.firstForward) }
            if b < meeting.best { back.relax(b, from: depth, this.firstBackward, next.firstBackward) }
            rank = this.parent
        }
        return meeting
    }
}

/// Unpacks the arcs of a path into edges.
struct HierarchyPath {
    let costs: HierarchyCosts
    let space: HierarchySpace

    /// Unpacks the path through a meeting node into the space's edges; returns the indices of seed and
    /// goal.
    func unpack(_ meeting: Int, _ query: SearchQuery) -> (seed: Int, goal: Int) {
        let (ways, climb, hierarchy) = (costs.ways, costs.climb, costs.hierarchy)
        var (edges, waiting, steps) = (space.edges, space.waiting, space.steps)
        defer { (space.edges, space.waiting, space.steps) = (edges, waiting, steps) }
        edges.removeAll()
        // The upward part is collected from its upper end.
        steps.removeAll()
        let start = follow(space.forward, climb.forward, \.firstForward, from: meeting) { code, _, _ in
            steps.push(code)
        }
        while let code = steps.pop() { ways.unpack(code, &waiting, &edges) }
        let stop = follow(space.backward, climb.backward, \.firstBackward, from: meeting) {
            code, _, _ in ways.unpack(code, &waiting, &edges)
        }
        return (
            space.forward.end(at: start, query.seeds, hierarchy, climb),
            space.backward.end(at: stop, query.goals, hierarchy, climb)
        )
    }

    /// Follows the parent arcs of a depth back down, with the depths of both ends of each; returns the
    /// depth of the seed.
    @inline(__always)
    func follow(
        _ side: HierarchySide, _ arcs: PackedArcs, _ first: (UpwardRank) -> Int32, from meeting: Int,
        _ take: (_ code: Int32, _ tail: Int, _ head: Int) -> Void
    ) -> Int {
        let (climb, mask) = (costs.climb, costs.climb.words.depthMask)
        var depth = meeting
        while true {
            let tail = Int(side.trail.base[depth].origin)
            // An origin is deeper than its head, except in a damaged file.
            guard tail > depth else { return depth }
            var arc = Int(first(climb.ranks[side.trail.base[tail].rank]))
            while arc < arcs.words.count, Int(arcs.words[arc] & mask) != depth { arc &+= 1 }
            guard arc < arcs.words.count else { return depth }
            take(arcs.codes[arc], tail, depth)
            depth = tail
        }
    }
}
