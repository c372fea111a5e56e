import Geodesy
import Pictures
import PluginKit

/// The state of a search after some of its steps, and the marks that each step changes.
struct SearchMarks {
    let network: SearchNetwork

    /// A node that a side has reached.
    private struct Reached {
        var node: Value
        var side: SearchSide
        var parent: Value?
        var f: Double?
        var g: Double?
        var h: Double?
        var isSettled = false
    }

    private var reached: [String: Reached] = [:]
    /// The mark of the node that was settled last.
    private var present: String?
    /// The marks of both sides at their meeting node.
    private var meeting: [String] = []
    /// The names of nodes at the start, a via point or the end.
    private var ends: [String: String] = [:]
    private var unpacked = 0
    /// The ends whose nodes have marks with their names.
    private var named: Set<String> = []
    /// Whether both sides search, so that a node may have two costs.
    private var isTwoSided = false

    init(network: SearchNetwork) { self.network = network }

    /// The number of settled nodes and of nodes in the frontier.
    var counts: (settled: Int, frontier: Int) {
        let settled = reached.values.count(where: \.isSettled)
        return (settled, reached.count - settled)
    }

    /// Applies a step and returns the changed marks.
    mutating func frame(of step: TraceStep) -> PictureFrame {
        let changes =
            switch step.kind {
            case "start": started(step)
            case "settle": settled(step)
            case "relax": relaxed(step)
            case "climb": climbed(step)
            case "meet": met(step)
            case "unpack": unpacked(step)
            case "end": ended(step)
            default: [MarkChange]()
            }
        let shown = step.kind == "end" || step.kind == "meet" ? meeting : []
        return PictureFrame(
            changes + unlabelled(changes), present: shown.isEmpty ? present.map { [$0] } ?? [] : shown)
    }

    /// The marks, without labels, of the ends whose nodes have marks that show their names.
    private mutating func unlabelled(_ changes: [MarkChange]) -> [MarkChange] {
        changes.compactMap { change in
            guard let node = reached[change.key]?.node, let word = ends[Self.name(node)],
                named.insert(word).inserted
            else { return nil }
            return place(word == "start" ? 0 : network.places.count - 1, word, label: "")
        }
    }

    // MARK: The kinds of steps

    private mutating func started(_ step: TraceStep) -> [MarkChange] {
        reached = [:]
        (present, meeting, unpacked, ends, named) = (nil, [], 0, [:], [])
        let seeds = Self.list(step, "nodes")
        let goals = Self.list(step, "goals")
        for (word, nodes, costs) in [
            ("start", seeds, Self.list(step, "costs")), ("end", goals, Self.list(step, "goalCosts")),
        ] {
            for (node, cost) in zip(nodes, costs) where Self.number(cost) == 0 {
                ends[Self.name(node)] = word
            }
        }
        var changes = [MarkChange.clearing] + places()
        let f = Self.list(step, "f")
        // A hierarchy has no frontier: the nodes are marked when the climb visits them.
        guard !f.isEmpty else { return changes }
        for (index, node) in seeds.enumerated() {
            let key = Self.key(.forward, node)
            let cost = Self.number(Self.list(step, "costs")[index])
            reached[key] = Reached(node: node, side: .forward, f: Self.number(f[index]), g: cost)
            changes.append(mark(key))
        }
        return changes
    }

    /// The start, the via points and the end.
    private func places() -> [MarkChange] {
        // A search in all directions has no end.
        let last = network.places.count > 1 ? ["end"] : []
        let words = ["start"] + network.places.dropFirst().dropLast().map { _ in "via" } + last
        return words.enumerated().map { index, word in
            let node = ends.filter { $0.value == word }.keys.min().map { " " + $0 } ?? ""
            return place(index, word, label: word + node)
        }
    }

    private func place(_ index: Int, _ word: String, label: String) -> MarkChange {
        MarkChange(
            "place \(index)",
            [.point(network.places[index].withoutAltitude, SearchLook.end(word, label: label))])
    }

    private mutating func settled(_ step: TraceStep) -> [MarkChange] {
        guard let node = step.values["node"] else { return [] }
        let side = SearchSide(step.values["side"])
        isTwoSided = step.values["side"] != nil
        let key = Self.key(side, node)
        let before = present
        present = key
        reached[key] = Reached(
            node: node, side: side, parent: Self.known(step.values["parent"]),
            f: Self.number(step.values["f"]), g: Self.number(step.values["g"]),
            h: Self.number(step.values["h"]), isSettled: true)
        return (before.map { $0 == key ? [] : [mark($0)] } ?? []) + [mark(key)]
    }

    private mutating func relaxed(_ step: TraceStep) -> [MarkChange] {
        guard let node = step.values["node"], case .text(let outcome)? = step.values["outcome"],
            outcome == "reached" || outcome == "improved"
        else { return [] }
        let side = SearchSide(step.values["side"])
        let key = Self.key(side, node)
        reached[key] = Reached(
            node: node, side: side, parent: step.values["from"], f: Self.number(step.values["f"]),
            g: Self.number(step.values["new"]))
        return [mark(key)]
    }

    private mutating func climbed(_ step: TraceStep) -> [MarkChange] {
        guard let node = step.values["node"] else { return [] }
        var changes: [MarkChange] = []
        isTwoSided = true
        for (side, cost, from) in [
            (SearchSide.forward, "forward", "from"), (SearchSide.backward, "backward", "to"),
        ] {
            guard let g = Self.number(step.values[cost]) else { continue }
            let key = Self.key(side, node)
            let parent = Self.known(step.values[from])
            reached[key] = Reached(node: node, side: side, parent: parent, g: g, isSettled: true)
            var features: [MapFeature] = []
            if let line = network.straight(from: parent, to: node) {
                features.append(.line(line, SearchLook.arc(side)))
            }
            if let at = network.place(node) {
                features.append(.point(at, SearchLook.climbed(side, label(node, side, g))))
            }
            changes.append(MarkChange(key, features, parent: parent.map { Self.key(side, $0) }))
        }
        present = nil
        if let at = network.place(node) {
            changes.append(
                MarkChange(
                    "present",
                    [.point(at, SearchLook.present(network.names.areLetters ? Self.name(node) : ""))]))
        }
        return changes
    }

    private mutating func met(_ step: TraceStep) -> [MarkChange] {
        guard let node = step.values["node"], let at = network.place(node) else { return [] }
        meeting = [Self.key(.forward, node), Self.key(.backward, node)]
        let cost = Self.number(step.values["new"]).map { " " + Self.text($0) } ?? ""
        return [MarkChange("meeting", [.point(at, SearchLook.meeting("meeting" + cost))])]
    }

    private mutating func unpacked(_ step: TraceStep) -> [MarkChange] {
        guard let from = step.values["from"], let to = step.values["to"] else { return [] }
        unpacked += 1
        let nodes = [from] + Self.list(step, "through") + [to]
        let lines = zip(nodes, nodes.dropFirst()).compactMap { network.line(from: $0, to: $1) }
        return [
            MarkChange("present", []),
            MarkChange("unpacked \(unpacked)", lines.map { .line($0, SearchLook.found) }),
        ]
    }

    private mutating func ended(_ step: TraceStep) -> [MarkChange] {
        let before = present
        present = nil
        if meeting.isEmpty, let goal = Self.known(step.values["goal"]) {
            present = Self.key(.forward, goal)
        }
        // The result is shown instead of the last node.
        let node = before.map { [mark($0, isPresent: false)] } ?? []
        let rest = Self.known(step.values["goal"]).flatMap { network.part(to: $0, of: .backward) }
        return node + [
            MarkChange("present", []),
            MarkChange("rest", rest.map { [.line($0, SearchLook.found)] } ?? []),
        ]
    }

    // MARK: Marks

    private func mark(_ key: String) -> MarkChange { mark(key, isPresent: key == present) }

    private func mark(_ key: String, isPresent: Bool) -> MarkChange {
        guard let node = reached[key] else { return MarkChange(key, []) }
        let line =
            node.parent.map { network.line(from: $0, to: node.node) }
            ?? network.part(to: node.node, of: node.side)
        var features: [MapFeature] = []
        if let line { features.append(.line(line, SearchLook.line(node.side, isSettled: node.isSettled))) }
        if let at = network.place(node.node) {
            var style =
                isPresent
                ? SearchLook.present(presentLabel(node))
                : node.isSettled
                    ? SearchLook.settled(node.side, label(node.node, node.side, node.f ?? node.g))
                    : SearchLook.frontier(node.side, label(node.node, node.side, node.f ?? node.g))
            if !network.names.areLetters, !isPresent { style.radius = SearchLook.smallRadius }
            features.append(.point(at, style))
        }
        var change = MarkChange(key, features, parent: node.parent.map { Self.key(node.side, $0) })
        if !node.isSettled { change.queue = (Self.name(node.node), node.f ?? node.g ?? 0) }
        return change
    }

    /// The name of a node with its sort key; only if nodes have readable names.
    private func label(_ node: Value, _ side: SearchSide, _ cost: Double?) -> String {
        guard network.names.areLetters else { return "" }
        let end = ends[Self.name(node)].map { $0 + " " } ?? ""
        let arrow = isTwoSided ? side == .forward ? "→" : "←" : ""
        return end + Self.name(node) + (cost.map { " " + arrow + Self.text($0) } ?? "")
    }

    /// The name of the current node, with the terms of f.
    private func presentLabel(_ node: Reached) -> String {
        let name = label(node.node, node.side, nil)
        guard let f = node.f, let g = node.g, let h = node.h else { return name }
        let sum = "\(Self.text(f))=\(Self.text(g))" + (h < 0 ? "" : "+") + Self.text(h)
        return name.isEmpty ? sum : name + " " + sum
    }

    // MARK: Values

    private static func key(_ side: SearchSide, _ node: Value) -> String {
        (side == .forward ? "f" : "b") + name(node)
    }

    private static func name(_ node: Value) -> String {
        switch node {
        case .integer(let id): String(id)
        case .text(let text): text
        default: ""
        }
    }

    private static func list(_ step: TraceStep, _ key: String) -> [Value] {
        if case .list(let list)? = step.values[key] { return list }
        return []
    }

    private static func number(_ value: Value?) -> Double? {
        switch value {
        case .number(let number): number
        case .integer(let integer): Double(integer)
        default: nil
        }
    }

    /// A cost in a picture, rounded to an integer.
    private static func text(_ cost: Double) -> String {
        abs(cost) < 1e15 ? String(Int(cost.rounded())) : String(cost)
    }

    private static func known(_ value: Value?) -> Value? {
        if case .nothing? = value { return nil }
        return value
    }
}
