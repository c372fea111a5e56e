import PluginKit

// The steps of a search. Each is made only when someone records.

extension OneWaySearch {
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
