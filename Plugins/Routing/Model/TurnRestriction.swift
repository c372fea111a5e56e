/// A turn that vehicles must not, or must, take: the ways and the node of a relation `type=restriction`.
///
/// Source: OpenStreetMap wiki, "Relation:restriction".
struct TurnRestriction: Sendable, Hashable {
    /// The OSM id of the relation.
    var relation: Int64
    /// What holds at any time, such as `no_left_turn`; `nil` for nothing.
    var rule: String?
    /// What holds at some times, such as `no_left_turn @ (Mo-Fr 07:00-09:00)`.
    var conditional: String?
    /// The OSM ids of the ways from which one turns, of the node or the ways over which, and of those into which.
    var from: [Int64]
    var viaNode: Int64?
    var viaWays: [Int64] = []
    var to: [Int64]

    /// Whether a rule forbids its turn, allows no other, or is not known.
    enum Effect: Sendable, Hashable {
        case forbids
        case allowsOnly
        case none
        case unknown
    }

    private static let turns: Set<String> = [
        "left_turn", "right_turn", "straight_on", "u_turn", "entry", "exit", "turn",
    ]

    /// The effect of a rule; of a list such as `no_left_turn;no_u_turn` the one that all have.
    static func effect(_ rule: String) -> Effect {
        let effects = Set(
            rule.split(separator: ";").map { part -> Effect in
                let part = part.trimmingPrefix(" ")
                // Whoever waits for green may turn.
                if ["none", "no", "no_right_turn_on_red", "no_left_turn_on_red"].contains(String(part)) {
                    return .none
                }
                for (prefix, effect) in [("no_", Effect.forbids), ("only_", .allowsOnly)]
                where part.hasPrefix(prefix) {
                    return turns.contains(String(part.dropFirst(prefix.count))) ? effect : .unknown
                }
                return .unknown
            })
        guard let effect = effects.first, effects.count == 1 else { return .unknown }
        return effect
    }
}

extension TurnRestriction {
    /// The restriction as a line of text.
    var line: String {
        let lists = [from, viaNode.map { [$0] } ?? [], viaWays, to].map {
            $0.map(String.init).joined(separator: " ")
        }
        return ([String(relation), rule ?? "", conditional ?? ""] + lists).map {
            String($0.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        }.joined(separator: "\t")
    }

    /// The restriction of a line; `nil` for any other text.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7, let relation = Int64(fields[0]) else { return nil }
        func text(_ field: Substring) -> String? { field.isEmpty ? nil : String(field) }
        let lists = fields[3...].map { $0.split(separator: " ").compactMap { Int64($0) } }
        self.init(
            relation: relation, rule: text(fields[1]), conditional: text(fields[2]), from: lists[0],
            viaNode: lists[1].first, viaWays: lists[2], to: lists[3])
    }
}
