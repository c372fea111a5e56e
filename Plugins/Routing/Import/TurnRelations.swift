import COsmium
import Cartography

/// The turn restrictions of a map that bind bicycles.
///
/// Source: OpenStreetMap wiki, "Relation:restriction".
struct TurnRelations {
    /// The tags read.
    static let keys =
        [
            "restriction", "restriction:bicycle", "restriction:conditional",
            "restriction:bicycle:conditional",
            "except",
        ] + dates
    /// Old keys of the times at which a restriction holds.
    private static let dates = ["day_on", "day_off", "hour_on", "hour_off"]

    /// A relation from the reader: values of the keys, and members, each after what it is.
    struct Relation {
        var id: Int64
        var values: [String?]
        var members: [Int64]

        subscript(key: String) -> String? {
            guard let place = TurnRelations.keys.firstIndex(of: key), values.indices.contains(place) else {
                return nil
            }
            return values[place]
        }
    }

    /// The restrictions in the order of the file.
    private(set) var restrictions: [TurnRestriction] = []
    /// The number of relations that lack a member, or of which it is not known what they forbid.
    private(set) var unusable = 0

    init(_ relations: [Relation]) {
        for relation in relations {
            let (rule, conditional) = Self.rules(relation)
            // Those of lorries and the like have no rule for others.
            guard rule != nil || conditional != nil else { continue }
            guard let restriction = Self.restriction(relation, rule, conditional) else {
                unusable += 1
                continue
            }
            restrictions.append(restriction)
        }
    }

    /// What binds bicycles at any time, and at some: their own tags, else those of all who are not excepted.
    private static func rules(_ relation: Relation) -> (rule: String?, conditional: String?) {
        let own = relation["restriction:bicycle"].map(TagWord.usual)
        let ownTimes = relation["restriction:bicycle:conditional"]
        guard own == nil, ownTimes == nil else { return (own, ownTimes) }
        let exceptions = relation["except"].map(TagWord.usual)?.split(separator: ";") ?? []
        if exceptions.contains(where: { $0 == "bicycle" }) { return (nil, nil) }
        let rule = relation["restriction"].map(TagWord.usual)
        let times = dates.compactMap { key in relation[key].map { "\(key)=\($0)" } }
        guard let rule, !times.isEmpty else { return (rule, relation["restriction:conditional"]) }
        // Old keys are kept as a condition that is not understood.
        return (nil, "\(rule) @ (\(times.joined(separator: " ")))")
    }

    private static func restriction(
        _ relation: Relation, _ rule: String?, _ conditional: String?
    ) -> TurnRestriction? {
        var members: [Int64: [Int64]] = [:]
        for index in stride(from: 0, to: relation.members.count - 1, by: 2) {
            members[relation.members[index], default: []].append(relation.members[index + 1])
        }
        func all(_ kind: Int) -> [Int64] { members[Int64(kind)] ?? [] }
        let made = TurnRestriction(
            relation: relation.id, rule: rule, conditional: conditional,
            from: all(Int(cosm_from_way)), viaNode: all(Int(cosm_via_node)).first,
            viaWays: all(Int(cosm_via_way)), to: all(Int(cosm_to_way)))
        let hasVia = (made.viaNode == nil) != made.viaWays.isEmpty && all(Int(cosm_via_node)).count < 2
        guard hasVia, !made.from.isEmpty, !made.to.isEmpty else { return nil }
        let words = [rule, conditional.map { String($0.prefix { $0 != "@" }) }].compactMap(\.self)
        return words.contains { TurnRestriction.effect(TagWord.usual($0)) == .unknown } ? nil : made
    }
}
