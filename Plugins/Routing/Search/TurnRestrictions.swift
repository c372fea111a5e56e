import PluginKit

/// The forbidden turns of a graph: sequences of two or more arcs that bicycles must not ride one after the other.
///
/// A mandatory turn forbids all others. Obstacles at nodes are no part of a sequence. While a sequence is ridden, the state
/// is the number of its part so far (Aho and Corasick 1975); 0 where no sequence has begun.
final class TurnRestrictions: Sendable {
    /// A sequence of arcs, as `Arc.edgeAndDirection`, and the restriction that it comes from.
    struct Sequence: Sendable {
        var arcs: [Int32]
        var restriction: TurnRestriction
        /// Whether it is not known if it is forbidden at the time of travel.
        var isDoubtful: Bool
    }

    /// The graph owns its restrictions.
    private unowned let graph: RoutingGraph
    private let steps: [UInt64: Int32]
    private let fallbacks: [Int32]
    /// For each state the sequence that it ends; −1 for none.
    private let ends: [Int32]
    private let sequences: [Sequence]
    /// The number of restrictions whose ways are not found, or meet more than once.
    let ambiguous: Int

    /// The restrictions of a graph at a time; `nil` if there are none.
    convenience init?(_ graph: RoutingGraph, at now: LocalMoment?) {
        let restrictions = graph.turnRestrictions
        guard !restrictions.isEmpty else { return nil }
        var finder = TurnSequences(graph, of: restrictions)
        var sequences: [Sequence] = []
        for restriction in restrictions {
            let (rule, isDoubtful) = Self.rule(of: restriction, at: now)
            guard let rule else { continue }
            let effect = TurnRestriction.effect(rule)
            guard effect == .forbids || effect == .allowsOnly else { continue }
            for arcs in finder.sequences(of: restriction, isOnly: effect == .allowsOnly) {
                sequences.append(Sequence(arcs: arcs, restriction: restriction, isDoubtful: isDoubtful))
            }
        }
        guard !sequences.isEmpty else { return nil }
        self.init(graph, sequences, ambiguous: finder.ambiguous)
    }

    /// The rule of a restriction at a time, and whether it is not known if it holds.
    private static func rule(of restriction: TurnRestriction, at now: LocalMoment?) -> (String?, Bool) {
        guard let text = restriction.conditional else { return (restriction.rule, false) }
        switch ConditionalAccess.value(text, at: now) {
        case .value(let rule): return (rule, false)
        case .otherwise: return (restriction.rule, false)
        case .unknown:
            if let rule = restriction.rule { return (rule, false) }
            return (text.split(separator: "@").first.map { $0.trimmingCharacters(in: .whitespaces) }, true)
        }
    }

    private init(_ graph: RoutingGraph, _ sequences: [Sequence], ambiguous: Int) {
        var steps: [UInt64: Int32] = [:]
        var (ends, depths): ([Int32], [Int]) = ([-1], [0])
        for (index, sequence) in sequences.enumerated() {
            var state: Int32 = 0
            for arc in sequence.arcs {
                let (before, key) = (state, Self.key(state, arc))
                if let known = steps[key] {
                    state = known
                } else {
                    steps[key] = Int32(ends.count)
                    state = Int32(ends.count)
                    ends.append(-1)
                    depths.append(depths[Int(before)] + 1)
                }
            }
            // What is surely forbidden counts more.
            let known = ends[Int(state)]
            if known < 0 || sequences[Int(known)].isDoubtful { ends[Int(state)] = Int32(index) }
        }
        self.graph = graph
        self.sequences = sequences
        self.ambiguous = ambiguous
        self.steps = steps
        (self.ends, fallbacks) = Self.linked(steps, ends, depths)
    }

    /// For each state the longest other one that ends like it; a state ends the sequences of those, too.
    private static func linked(
        _ steps: [UInt64: Int32], _ ends: [Int32], _ depths: [Int]
    ) -> (ends: [Int32], fallbacks: [Int32]) {
        var (ends, fallbacks) = (ends, [Int32](repeating: 0, count: ends.count))
        // That of a state is not as deep as the state.
        let byDepth = steps.sorted { (depths[Int($0.value)], $0.value) < (depths[Int($1.value)], $1.value) }
        for (key, state) in byDepth {
            let (before, arc) = (Int32(key >> 32), Int32(truncatingIfNeeded: key & 0xFFFF_FFFF))
            guard before != 0 else { continue }
            var other = fallbacks[Int(before)]
            while other != 0, steps[Self.key(other, arc)] == nil { other = fallbacks[Int(other)] }
            fallbacks[Int(state)] = steps[Self.key(other, arc)] ?? 0
            if ends[Int(state)] < 0 { ends[Int(state)] = ends[Int(fallbacks[Int(state)])] }
        }
        return (ends, fallbacks)
    }

    @inline(__always)
    private static func key(_ state: Int32, _ arc: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: state)) << 32 | UInt64(UInt32(bitPattern: arc))
    }

    /// The state after an arc.
    func state(after state: Int32, _ arc: Int32) -> Int32 {
        // An edge at a node, such as a gate, belongs to no way.
        if graph.wayID[Int(arc >> 1)] == 0 { return state }
        var state = state
        while true {
            if let next = steps[Self.key(state, arc)] { return next }
            if state == 0 { return 0 }
            state = fallbacks[Int(state)]
        }
    }

    /// Whether a state is the end of a turn that is surely forbidden.
    func isForbidden(_ state: Int32) -> Bool {
        let end = ends[Int(state)]
        return end >= 0 && !sequences[Int(end)].isDoubtful
    }

    /// The restrictions whose turns a path takes, in the order of the path.
    func taken(by edges: [PathEdge]) -> [Sequence] {
        var (found, state): ([Sequence], Int32) = ([], 0)
        for piece in edges {
            guard piece.walk == nil else {
                state = 0
                continue
            }
            state = self.state(after: state, Int32(2 * piece.edge + (piece.isReversed ? 1 : 0)))
            let end = ends[Int(state)]
            if end >= 0 { found.append(sequences[Int(end)]) }
        }
        return found
    }

    /// Whether a path takes a turn that is surely forbidden.
    func forbid(_ edges: [PathEdge]) -> Bool { taken(by: edges).contains { !$0.isDoubtful } }

    /// What to know about the turns of a path.
    func notices(_ edges: [PathEdge]) -> [String] {
        var known: Set<TurnRestriction> = []
        return taken(by: edges).compactMap { sequence in
            let restriction = sequence.restriction
            guard known.insert(restriction).inserted else { return nil }
            if sequence.isDoubtful {
                return
                    "1 turn that may be forbidden: restriction:conditional=\(restriction.conditional ?? "")"
            }
            return "1 turn that is forbidden to vehicles, as there is no other way: get off for "
                + "restriction=\(restriction.rule ?? restriction.conditional ?? "")"
        }
    }
}

/// Finds the sequences of arcs of turn restrictions.
private struct TurnSequences {
    private let graph: RoutingGraph
    private var edges: [Int64: [Int]] = [:]
    private(set) var ambiguous = 0

    init(_ graph: RoutingGraph, of restrictions: [TurnRestriction]) {
        self.graph = graph
        let wanted = Set(restrictions.flatMap { $0.from + $0.viaWays + $0.to })
        for edge in 0..<graph.edgeCount where wanted.contains(graph.wayID[edge]) {
            edges[graph.wayID[edge], default: []].append(edge)
        }
    }

    /// The forbidden sequences of a restriction.
    mutating func sequences(of restriction: TurnRestriction, isOnly: Bool) -> [[Int32]] {
        var found: [[Int32]] = []
        for from in restriction.from where edges[from] != nil {
            let stem: [Int32]
            let place: Int64
            if let node = restriction.viaNode {
                guard let arc = only(arcs(of: from).filter { head($0) == node }) else { continue }
                (stem, place) = ([arc], node)
            } else {
                guard let way = stemOverWays(from, restriction) else { continue }
                (stem, place) = way
            }
            guard let last = stem.last else { continue }
            if isOnly {
                let allowed = Set(restriction.to)
                found += leaving(place).filter {
                    !allowed.contains(graph.wayID[Int($0 >> 1)]) && $0 >> 1 != last >> 1
                }.map { stem + [$0] }
                continue
            }
            for to in restriction.to where edges[to] != nil {
                if let arc = only(arcs(of: to).filter { tail($0) == place }) { found.append(stem + [arc]) }
            }
        }
        return found
    }

    /// The one arc; with several, it is not known which turn is meant.
    private mutating func only(_ arcs: [Int32]) -> Int32? {
        if arcs.count != 1 { ambiguous += 1 }
        return arcs.count == 1 ? arcs[0] : nil
    }

    /// The arcs of a way that bicycles may ride, in both directions.
    private func arcs(of way: Int64) -> [Int32] {
        (edges[way] ?? []).flatMap { edge -> [Int32] in
            let there = Int32(2 * edge)
            return graph.kind(of: edge).isOneway ? [there] : [there, there + 1]
        }
    }

    /// The arcs that leave a place, without those of obstacles at it.
    private func leaving(_ place: Int64) -> [Int32] {
        var (arcs, id): ([Int32], Int64) = ([], place)
        while let node = graph.node(id: id) {
            for index in graph.arcRange(of: node) where graph.wayID[graph.arcs[index].edge] != 0 {
                arcs.append(graph.arcs[index].edgeAndDirection)
            }
            // The copies of a node at an obstacle.
            id -= RegionNetwork.copyStep
        }
        return arcs
    }

    private func head(_ arc: Int32) -> Int64 { end(arc, isHead: true) }
    private func tail(_ arc: Int32) -> Int64 { end(arc, isHead: false) }

    private func end(_ arc: Int32, isHead: Bool) -> Int64 {
        let (edge, isReversed) = (Int(arc >> 1), arc & 1 == 1)
        let node = isHead != isReversed ? graph.target[edge] : graph.source[edge]
        return RegionNetwork.original(graph.nodeID[node])
    }

    /// The shortest sequence from a way over the ways between to where the last way begins.
    private mutating func stemOverWays(
        _ from: Int64, _ restriction: TurnRestriction
    ) -> (arcs: [Int32], place: Int64)? {
        let between = restriction.viaWays.flatMap(arcs)
        let starts = Set(between.map(tail))
        let goals = Set(restriction.to.flatMap(arcs).map(tail))
        guard let first = only(arcs(of: from).filter { starts.contains(head($0)) }) else { return nil }
        var waiting = [[first]]
        var seen: Set<Int64> = [head(first)]
        while !waiting.isEmpty {
            var next: [[Int32]] = []
            for stem in waiting {
                guard let last = stem.last else { continue }
                let place = head(last)
                if stem.count > 1, goals.contains(place) { return (stem, place) }
                for arc in between where tail(arc) == place && seen.insert(head(arc)).inserted {
                    next.append(stem + [arc])
                }
            }
            waiting = next
        }
        ambiguous += 1
        return nil
    }
}
