import PluginKit

/// The cheapest order of visiting places, from a first to a last.
enum VisitingOrder {
    /// The maximum number of places between the ends for the exact method.
    static let exactLimit = 12

    /// The best order of the places between the first and the last, by a matrix of costs from row to
    /// column; the indices of all places. `nil` if a place cannot be reached. Up to 12 places between the
    /// ends it is exact (Held and Karp 1962); beyond that the cheapest insertion, improved by moving and
    /// reversing segments until there is no improvement.
    static func order<T: TraceRecorder>(_ costs: [[Double]], trace: inout T) -> [Int]? {
        let count = costs.count
        guard count > 2 else { return Array(0..<count) }
        guard count - 2 > exactLimit else { return exact(costs, trace: &trace) }
        return improved(inserted(costs, trace: &trace), costs, trace: &trace)
    }

    /// The best order, without steps.
    static func order(_ costs: [[Double]]) -> [Int]? {
        var none = NoTrace()
        return order(costs, trace: &none)
    }

    /// The cost of an order.
    static func cost(_ order: [Int], _ costs: [[Double]]) -> Double {
        zip(order, order.dropFirst()).reduce(0) { $0 + costs[$1.0][$1.1] }
    }

    private static func exact<T: TraceRecorder>(_ costs: [[Double]], trace: inout T) -> [Int]? {
        let (inner, last) = (costs.count - 2, costs.count - 1)
        let sets = 1 << inner
        var best = [Double](repeating: .infinity, count: sets * inner)
        var before = [Int8](repeating: -1, count: sets * inner)
        for place in 0..<inner { best[(1 << place) * inner + place] = costs[0][place + 1] }
        for set in 1..<sets {
            for place in 0..<inner where set >> place & 1 == 1 {
                let known = best[set * inner + place]
                guard known < .infinity else { continue }
                for next in 0..<inner where set >> next & 1 == 0 {
                    let index = (set | 1 << next) * inner + next
                    let cost = known + costs[place + 1][next + 1]
                    trace.record(
                        ordered(set, place, next, cost, best[index] < .infinity ? best[index] : nil))
                    if cost < best[index] {
                        best[index] = cost
                        before[index] = Int8(place)
                    }
                }
            }
        }
        let all = sets - 1
        let ends = (0..<inner).map { best[all * inner + $0] + costs[$0 + 1][last] }
        guard var place = ends.indices.min(by: { ends[$0] < ends[$1] }), ends[place] < .infinity else {
            return nil
        }
        var (set, order) = (all, [last])
        while place >= 0 {
            order.append(place + 1)
            let earlier = Int(before[set * inner + place])
            set &= ~(1 << place)
            place = earlier
        }
        return order.reversed().reduce(into: [0]) { $0.append($1) }
    }

    /// A step: a path over a set of places, extended by the next, compared with the known one that ends there.
    private static func ordered(
        _ set: Int, _ place: Int, _ next: Int, _ cost: Double, _ known: Double?
    ) -> TraceStep {
        let isBetter = cost < known ?? .infinity
        let visited = (0..<exactLimit).filter { set >> $0 & 1 == 1 }.map { Value.integer($0 + 1) }
        return .candidate(
            [
                ("visited", .list(visited)), ("last", .integer(place + 1)), ("next", .integer(next + 1)),
                ("cost", .number(cost)), ("known", Value(known, Value.number)),
            ], isBetter ? .best : .refused,
            why: cost == .infinity
                ? "no route leads there"
                : known == nil
                    ? "the first path over these places that ends here"
                    : isBetter ? "cheaper than the known path" : "not cheaper than the known path")
    }

    private static func inserted<T: TraceRecorder>(_ costs: [[Double]], trace: inout T) -> [Int] {
        var order = [0, costs.count - 1]
        var left = Set(1..<costs.count - 1)
        while !left.isEmpty {
            var best: (place: Int, at: Int, cost: Double)?
            for place in left.sorted() {
                for at in 1..<order.count {
                    let added =
                        costs[order[at - 1]][place] + costs[place][order[at]]
                        - costs[order[at - 1]][order[at]]
                    if added < best?.cost ?? .infinity { best = (place, at, added) }
                }
            }
            let chosen = best ?? (left.sorted()[0], 1, 0)
            order.insert(chosen.place, at: chosen.at)
            trace.record(
                .candidate(
                    [
                        ("what", .text("insert")), ("order", .list(order.map(Value.integer))),
                        ("cost", .number(cost(order, costs))),
                    ], .kept, why: "the cheapest insertion of all places and gaps"))
            left.remove(chosen.place)
        }
        return order
    }

    private static func improved<T: TraceRecorder>(
        _ order: [Int], _ costs: [[Double]], trace: inout T
    ) -> [Int]? {
        var (order, isBetter) = (order, true)
        while isBetter {
            isBetter = false
            for from in 1..<order.count - 1 {
                for to in from..<order.count - 1 {
                    let turned = Array(order[..<from] + order[from...to].reversed() + order[(to + 1)...])
                    var moved = order
                    moved.insert(moved.remove(at: from), at: to)
                    for other in [turned, moved] where cost(other, costs) < cost(order, costs) - 1e-9 {
                        trace.record(
                            .candidate(
                                [
                                    ("what", .text(other == turned ? "reverse" : "move")),
                                    ("order", .list(other.map(Value.integer))),
                                    ("cost", .number(cost(other, costs))),
                                ], .best,
                                why:
                                    "cheaper than before by \((cost(order, costs) - cost(other, costs)).rounded())"
                            ))
                        order = other
                        isBetter = true
                    }
                }
            }
        }
        return cost(order, costs) < .infinity ? order : nil
    }
}
