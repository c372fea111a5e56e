import PluginKit

// The steps of a search from both ends. `h` is half the difference of both estimates, so that it may be negative.

extension BidirectionalSearch {
    mutating func recordStart(_ query: SearchQuery, _ there: SearchView) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.started(
                query, estimates: query.seeds.map { there.labels[Int($0.node)].h }, in: graph,
                why: """
                    two searches begin: forward from the nodes beside the start, backward from the goals, each with a \
                    heap of its own
                    """))
    }

    mutating func recordEnd(
        _ query: SearchQuery, _ outcome: SearchOutcome, _ cost: Double, _ there: SearchView,
        _ back: SearchView
    ) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.ended(
                outcome.result, query, cost: cost, settled: outcome.settled,
                waiting: there.heap.pointee.count + back.heap.pointee.count, in: graph,
                proof: "the sum of the least f of both heaps is not below the cost of the path found"))
    }

    @inline(__always)
    mutating func record(_ node: Int32, _ view: SearchView, _ side: Side) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.settled(
                node, view.labels[Int(node)], waiting: view.heap.pointee.count, in: graph,
                side: side.rawValue))
    }

    @inline(__always)
    mutating func record(
        _ node: Int32, _ index: Int, _ view: SearchView, old: Double, new: Double, wasSettled: Bool,
        _ side: Side
    ) {
        let graph = weighted.graph
        trace.record(
            SearchSteps.relaxed(
                node, view.arcs[index], old: old.isFinite ? old : nil, new: new,
                h: view.labels[Int(view.arcs[index].head)].h, isSettled: wasSettled, in: graph,
                side: side.rawValue))
    }

    @inline(__always)
    mutating func recordMeeting(_ node: Int, _ side: Side, here: Double, there: Double, old: Double) {
        let graph = weighted.graph
        trace.record(
            TraceStep(
                "meet",
                [
                    ("node", .integer(Int(graph.nodeID[node]))),
                    ("at", .coordinate(graph.coordinate(of: node).withoutAltitude)),
                    ("forward", .number(side == .forward ? here : there)),
                    ("backward", .number(side == .forward ? there : here)),
                    ("old", old.isFinite ? .number(old) : .nothing), ("new", .number(here + there)),
                ], why: "both sides reached this node: their total is the cheapest so far"))
    }
}
