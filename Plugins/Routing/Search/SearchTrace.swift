import PluginKit

// The steps of searches. Each is built only for a recorder.

extension OneWaySearch {
    mutating func recordStart(_ query: SearchQuery, _ view: SearchView) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.started(
                query, estimates: query.seeds.map { view.labels[Int($0.node)].h }, in: graph,
                why:
                    "the start is one of these nodes or between them, the end likewise at the goals: they enter the heap first"
            ))
    }

    mutating func recordEnd(
        _ cost: Double, _ query: SearchQuery, _ outcome: SearchOutcome, _ view: SearchView
    ) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.ended(
                outcome.result, query, cost: cost, settled: outcome.settled,
                waiting: view.heap.pointee.count, in: graph,
                proof: "no node in the heap has an f below the cost of the path found"))
    }

    @inline(__always)
    mutating func recordSettled(_ node: Int32, _ view: SearchView) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.settled(
                node, view.labels[Int(node)], waiting: view.heap.pointee.count, in: graph, side: nil))
    }

    @inline(__always)
    mutating func recordRelaxed(_ node: Int32, _ index: Int, old: NodeLabel?, new: Double, _ view: SearchView)
    {
        let graph = weighted.graph
        trace.record(
            SearchSteps.relaxed(
                node, graph.arcs[index], old: old?.g, new: new, h: view.labels[Int(graph.arcs[index].head)].h,
                isSettled: old.map { $0.stamp & 1 == 1 } ?? false, in: graph, side: nil))
    }
}

/// The trace steps of searches.
enum SearchSteps {
    /// The first step: the nodes beside the start and the end, with the costs to reach them.
    static func started(
        _ query: SearchQuery, estimates: [Double], in graph: RoutingGraph, why: String
    ) -> TraceStep {
        func costs(_ ends: [SearchEnd]) -> Value { .list(ends.map { .number($0.cost) }) }
        var values: [(String, Value)] = [
            ("nodes", nodes(query.seeds, graph)), ("costs", costs(query.seeds)),
        ]
        if !estimates.isEmpty {
            values.append(("f", .list(zip(query.seeds, estimates).map { .number($0.cost + $1) })))
        }
        values += [("goals", nodes(query.goals, graph)), ("goalCosts", costs(query.goals))]
        return TraceStep("start", values, why: why)
    }

    /// The only step of a search that cannot begin.
    static func impossible(_ query: SearchQuery) -> TraceStep {
        let place = query.seeds.isEmpty ? "from the start" : "to the end"
        return TraceStep(
            "end",
            [("cost", query.bound.isFinite ? .number(query.bound) : .nothing), ("settled", .integer(0))],
            why: "no way can be travelled \(place): the search is empty")
    }

    /// The last step: the reason for the end of the search, and the result.
    static func ended(
        _ result: SearchResult?, _ query: SearchQuery, cost: Double, settled: Int, waiting: Int,
        in graph: RoutingGraph, proof: String
    ) -> TraceStep {
        let why =
            result != nil
            ? proof
            : cost.isFinite
                ? "the path along the common edge of both ends costs no more"
                : "the heap is empty: the end is unreachable"
        return TraceStep(
            "end",
            [
                ("goal", result.map { .integer(Int(graph.nodeID[query.goals[$0.goal].node])) } ?? .nothing),
                ("cost", cost.isFinite ? .number(cost) : .nothing),
                ("way", result.map { way($0, query, graph) } ?? .nothing),
                ("settled", .integer(settled)), ("heap", .integer(waiting)),
            ], why: why)
    }

    /// The nodes of the path found.
    static func way(_ result: SearchResult, _ query: SearchQuery, _ graph: RoutingGraph) -> Value {
        let heads = result.edges.map { edge in
            graph.nodeID[edge & 1 == 1 ? graph.source[Int(edge >> 1)] : graph.target[Int(edge >> 1)]]
        }
        return .list(([graph.nodeID[query.seeds[result.seed].node]] + heads).map { .integer(Int($0)) })
    }

    private static func nodes(_ ends: [SearchEnd], _ graph: RoutingGraph) -> Value {
        .list(ends.map { .integer(Int(graph.nodeID[$0.node])) })
    }

    static func settled(
        _ node: Int32, _ label: NodeLabel, waiting: Int, in graph: RoutingGraph, side: String?
    ) -> TraceStep {
        let parent = label.arc < 0 ? nil : graph.tail(of: graph.arcs[label.arc])
        var values: [(String, Value)] = [
            ("node", .integer(Int(graph.nodeID[node]))),
            ("at", .coordinate(graph.coordinate(of: Int(node)).withoutAltitude)),
            ("f", .number(label.g + label.h)), ("g", .number(label.g)), ("h", .number(label.h)),
            ("parent", parent.map { .integer(Int(graph.nodeID[$0])) } ?? .nothing),
            ("heap", .integer(waiting)),
        ]
        if let side { values.append(("side", .text(side))) }
        let scope = side == nil ? "in the heap" : "in the heap of this side"
        return TraceStep("settle", values, why: "no other node \(scope) has a smaller f")
    }

    static func relaxed(
        _ node: Int32, _ arc: Arc, old: Double?, new: Double, h: Double, isSettled: Bool,
        in graph: RoutingGraph, side: String?
    ) -> TraceStep {
        let least = min(old ?? .infinity, new)
        var values: [(String, Value)] = [
            ("node", .integer(Int(graph.nodeID[arc.head]))),
            ("from", .integer(Int(graph.nodeID[node]))),
            ("edge", .integer(Int(graph.edgeID[arc.edge]))),
            ("old", old.map { .number($0) } ?? .nothing),
            ("new", new.isFinite ? .number(new) : .nothing),
            ("f", least.isFinite ? .number(least + h) : .nothing),
        ]
        if let side { values.append(("side", .text(side))) }
        let (outcome, why) = verdict(old: old, new: new, isSettled: isSettled)
        values.append(("outcome", .text(outcome)))
        return TraceStep("relax", values, why: why)
    }

    private static func verdict(old: Double?, new: Double, isSettled: Bool) -> (String, String) {
        guard new.isFinite else { return ("impassable", "the edge may not be travelled in this direction") }
        guard let old else { return ("reached", "the node was not reached before") }
        if isSettled { return ("settled", "the node is settled: its cost is final") }
        return new < old
            ? ("improved", "this path costs less than the known one")
            : ("kept", "the known path costs no more")
    }
}
