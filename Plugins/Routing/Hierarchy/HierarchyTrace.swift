import PluginKit

// The steps of a query in a hierarchy: the climb of both sides, their meeting, and the unpacked arcs.

extension HierarchyQuery {
    mutating func recordStart(_ query: SearchQuery) {
        let graph = costs.weighted.graph
        trace.record(
            SearchSteps.started(
                query, estimates: [], in: graph,
                why: """
                    every path has a highest node in the elimination tree, above both of its ends: both sides climb the \
                    tree, and no heap is needed
                    """))
    }

    /// The value of a rank's node.
    private func node(_ rank: Int32) -> Value {
        .integer(Int(costs.weighted.graph.nodeID[costs.hierarchy.node[rank]]))
    }

    /// A cost in units as a value; `.nothing` if there is none.
    private func value(_ units: Int64?) -> Value {
        guard let units, units < costs.climb.words.infinite else { return .nothing }
        return .number(costs.climb.words.cost(units: units))
    }

    /// The node from which a side reached a depth; `.nothing` for an end of the search and for unreached
    /// depths.
    private func origin(_ units: Int64?, _ depth: Int, _ side: HierarchySide) -> Value {
        guard let units, units < costs.climb.words.infinite else { return .nothing }
        let origin = Int(side.trail.base[depth].origin)
        return origin == depth ? .nothing : node(side.trail.base[origin].rank)
    }

    /// A node visited by one side or both. Costs are in units; a side that did not visit it has none.
    @inline(__always)
    mutating func record(
        _ rank: Int32, depth: Int32, f: Int64?, b: Int64?, best: Int64, in space: HierarchySpace
    ) {
        let query = self
        trace.record(query.climbed(rank, Int(depth), f, b, best, space))
    }

    private func climbed(
        _ rank: Int32, _ depth: Int, _ f: Int64?, _ b: Int64?, _ best: Int64, _ space: HierarchySpace
    ) -> TraceStep {
        let graph = costs.weighted.graph
        let infinite = costs.climb.words.infinite
        let parent = costs.climb.ranks[rank].parent
        let isReached = (f ?? infinite) < infinite || (b ?? infinite) < infinite
        let why =
            f != nil && b != nil
            ? "above both ends: both sides can meet here"
            : f != nil
                ? "above the start only: visited by the forward side only"
                : "above the end only: visited by the backward side only"
        return TraceStep(
            "climb",
            [
                ("node", node(rank)), ("rank", .integer(Int(rank))),
                ("at", .coordinate(graph.coordinate(of: Int(costs.hierarchy.node[rank])).withoutAltitude)),
                ("side", .text(f != nil && b != nil ? "both" : f != nil ? "forward" : "backward")),
                ("forward", value(f)), ("from", origin(f, depth, space.forward)),
                ("backward", value(b)), ("to", origin(b, depth, space.backward)),
                ("best", value(best)),
                ("above", Int(parent) < costs.hierarchy.nodeCount ? node(parent) : .nothing),
            ], why: isReached ? why : why + "; no arc leads up to it")
    }

    @inline(__always)
    mutating func recordMeeting(_ rank: Int32, f: Int64, b: Int64, old: Int64) {
        let query = self
        trace.record(query.met(rank, f, b, old))
    }

    private func met(_ rank: Int32, _ f: Int64, _ b: Int64, _ old: Int64) -> TraceStep {
        let graph = costs.weighted.graph
        return TraceStep(
            "meet",
            [
                ("node", node(rank)),
                ("at", .coordinate(graph.coordinate(of: Int(costs.hierarchy.node[rank])).withoutAltitude)),
                ("forward", value(f)), ("backward", value(b)), ("old", value(old)), ("new", value(f + b)),
            ], why: "both sides reached this node: their total is the cheapest so far")
    }

    /// The arcs of the path, from start to end, with the edges of each; then the end.
    mutating func recordEnd(
        _ query: SearchQuery, _ outcome: SearchOutcome, meeting: Int, _ space: HierarchySpace
    ) {
        guard Recorder.self != NoTrace.self else { return }
        let graph = costs.weighted.graph
        if outcome.result != nil {
            for arc in HierarchyPath(costs: costs, space: space).arcs(through: meeting) {
                let (from, to) = (node(arc.from), node(arc.to))
                let heads = arc.edges.map { edge in
                    graph.nodeID[edge & 1 == 1 ? graph.source[Int(edge >> 1)] : graph.target[Int(edge >> 1)]]
                }
                let count = heads.count
                trace.record(
                    TraceStep(
                        "unpack",
                        [
                            ("from", from), ("to", to), ("edges", .integer(count)),
                            ("through", .list(heads.dropLast().map { .integer(Int($0)) })),
                        ],
                        why: count == 1
                            ? "the arc is an edge of the network"
                            : "the arc is a shortcut over lower nodes: it consists of \(count) edges"))
            }
        }
        let cost = outcome.result?.cost ?? query.bound
        let why =
            outcome.result != nil
            ? "both sides have reached the top of the tree: the cheapest meeting node is on the path"
            : cost.isFinite
                ? "the path along the common edge of both ends costs no more"
                : "both sides have reached the top of the tree without meeting: the end is unreachable"
        trace.record(
            TraceStep(
                "end",
                [
                    ("cost", cost.isFinite ? .number(cost) : .nothing),
                    ("way", outcome.result.map { SearchSteps.way($0, query, graph) } ?? .nothing),
                    ("visited", .integer(outcome.settled)),
                ], why: why))
    }
}

extension HierarchyPath {
    /// An arc of a path: its ranks in the order of travel and its edges.
    struct Arc {
        var from: Int32
        var to: Int32
        var edges: [Int32]
    }

    /// The arcs of the path through a meeting node, from start to end.
    func arcs(through meeting: Int) -> [Arc] {
        func edges(_ code: Int32) -> [Int32] {
            var (waiting, edges) = (PieceStack(), PieceStack())
            costs.ways.unpack(code, &waiting, &edges)
            return edges.values
        }
        func rank(_ depth: Int, _ side: HierarchySide) -> Int32 { side.trail.base[depth].rank }
        var up: [Arc] = []
        _ = follow(space.forward, costs.climb.forward, \.firstForward, from: meeting) { code, tail, head in
            up.append(
                Arc(from: rank(tail, space.forward), to: rank(head, space.forward), edges: edges(code)))
        }
        var down: [Arc] = []
        _ = follow(space.backward, costs.climb.backward, \.firstBackward, from: meeting) { code, tail, head in
            down.append(
                Arc(from: rank(head, space.backward), to: rank(tail, space.backward), edges: edges(code)))
        }
        return up.reversed() + down
    }
}
