import PluginKit

// The steps of a search. Each is made only when someone records.

extension OneWaySearch {
    mutating func recordStart(_ query: SearchQuery) {
        let graph = weighted.graph
        trace.record(SearchSteps.started(query, in: graph))
    }

    mutating func recordEnd(
        _ cost: Double, goal: Int, _ query: SearchQuery, _ view: SearchView, _ outcome: SearchOutcome
    ) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.ended(
                cost, goal: goal >= 0 ? query.goals[goal].node : nil, settled: outcome.settled,
                waiting: view.heap.pointee.count, in: graph))
    }

    @inline(__always)
    mutating func recordSettled(_ node: Int32, _ view: SearchView) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.settled(
                node, view.labels[Int(node)], waiting: view.heap.pointee.count, in: graph, side: nil))
    }

    @inline(__always)
    mutating func recordRelaxed(_ node: Int32, _ index: Int, old: NodeLabel?, new: Double) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.relaxed(
                node, graph.arcs[index], old: old?.g, new: new,
                isSettled: old.map { $0.stamp & 1 == 1 } ?? false, in: graph, side: nil))
    }
}

/// The trace steps of searches.
enum SearchSteps {
    /// The first step: the nodes beside the start and the end, with what it costs to get to them.
    static func started(_ query: SearchQuery, in graph: RoutingGraph) -> TraceStep {
        func nodes(_ ends: [SearchEnd]) -> Value {
            .list(ends.map { .integer(Int(graph.nodeID[$0.node])) })
        }
        func costs(_ ends: [SearchEnd]) -> Value {
            .list(ends.map { .number(($0.cost * 10).rounded() / 10) })
        }
        return TraceStep(
            "start",
            [
                ("nodes", nodes(query.seeds)), ("costs", costs(query.seeds)), ("goals", nodes(query.goals)),
                ("goalCosts", costs(query.goals)),
            ],
            why: "the start lies between these nodes, the end between the goals: they enter the heap first")
    }

    /// The last step: why the search is over.
    static func ended(
        _ cost: Double, goal: Int32?, settled: Int, waiting: Int, in graph: RoutingGraph
    ) -> TraceStep {
        let why =
            goal != nil
            ? "no node in the heap has an f below the cost of the way found"
            : cost.isFinite
                ? "the way along the edge of both ends costs no more"
                : "the heap is empty: the end was not reached"
        return TraceStep(
            "end",
            [
                ("goal", goal.map { .integer(Int(graph.nodeID[$0])) } ?? .nothing),
                ("cost", cost.isFinite ? .number(cost) : .nothing), ("settled", .integer(settled)),
                ("heap", .integer(waiting)),
            ], why: why)
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
        return TraceStep("settle", values, why: "no other node in the heap has a smaller f")
    }

    static func relaxed(
        _ node: Int32, _ arc: Arc, old: Double?, new: Double, isSettled: Bool, in graph: RoutingGraph,
        side: String?
    ) -> TraceStep {
        var values: [(String, Value)] = [
            ("node", .integer(Int(graph.nodeID[arc.head]))),
            ("from", .integer(Int(graph.nodeID[node]))),
            ("edge", .integer(Int(graph.edgeID[arc.edge]))),
            ("old", old.map { .number($0) } ?? .nothing),
            ("new", new.isFinite ? .number(new) : .nothing),
        ]
        if let side { values.append(("side", .text(side))) }
        let (outcome, why) = verdict(old: old, new: new, isSettled: isSettled)
        values.append(("outcome", .text(outcome)))
        return TraceStep("relax", values, why: why)
    }

    private static func verdict(old: Double?, new: Double, isSettled: Bool) -> (String, String) {
        guard new.isFinite else { return ("impassable", "the edge may not be travelled in this direction") }
        guard let old else { return ("reached", "the node was not reached before") }
        if isSettled { return ("settled", "the node is settled: nothing cheaper can come") }
        return new < old
            ? ("improved", "this way costs less than the one known") : ("kept", "the way known costs no more")
    }
}
