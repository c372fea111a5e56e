import PluginKit

/// The steps of a search in all directions: Dijkstra's algorithm up to a limit.
enum FloodSteps {
    static func started(_ seeds: [SearchEnd], within budget: Double, in graph: RoutingGraph) -> TraceStep {
        let nodes = seeds.map { Value.integer(Int(graph.nodeID[$0.node])) }
        let costs = seeds.map { Value.number($0.cost) }
        return .start(
            [
                ("nodes", .list(nodes)), ("costs", .list(costs)), ("f", .list(costs)), ("goals", .list([])),
                ("goalCosts", .list([])), ("limit", limit(budget)),
            ],
            why:
                "the start lies between these nodes: they enter the heap first; there is no goal, so f equals g"
        )
    }

    static func settled(
        _ node: Int32, _ label: NodeLabel, waiting: Int, within budget: Double, in graph: RoutingGraph
    ) -> TraceStep {
        let step = SearchSteps.settled(node, label, waiting: waiting, in: graph, side: nil)
        let values = zip(step.values.keys, step.values.values).map { ($0, $1) }
        return TraceStep(
            "settle", values + [("left", .number(max(0, budget - label.g)))],
            why:
                "no other node in the heap costs less: its cost is final, and the search continues from here"
        )
    }

    static func relaxed(
        _ node: Int32, _ arc: Arc, old: Double?, new: Double, within budget: Double, isSettled: Bool,
        in graph: RoutingGraph
    ) -> TraceStep {
        let step = SearchSteps.relaxed(
            node, arc, old: old, new: new, h: 0, isSettled: isSettled, in: graph, side: nil)
        guard new.isFinite, new > budget, !isSettled else { return step }
        let values = zip(step.values.keys, step.values.values).map { key, value in
            (key, key == "outcome" ? Value.text("beyond") : value)
        }
        return TraceStep(
            "relax", values, why: "the limit is reached on this way: only part of it is included")
    }

    static func ended(_ settled: Int, within budget: Double) -> TraceStep {
        .end(
            [("settled", .integer(settled)), ("heap", .integer(0)), ("limit", limit(budget))],
            why: "the heap is empty: everything within the limit is settled")
    }

    private static func limit(_ budget: Double) -> Value { budget.isFinite ? .number(budget) : .nothing }
}
