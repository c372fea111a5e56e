/// The hiking trails of a map: relations of ways, and of other relations.
struct TrailRelations {
    /// The tags read.
    static let keys = ["name", "ref", "network", "osmc:symbol", "route", "state", "duration"] + uses + times
    /// Keys that say whether a trail can be used, and when.
    private static let uses = ["abandoned", "disused", "access", "foot"]
    private static let times = ["opening_hours", "seasonal"]
    /// Values of `state` of trails that cannot be followed now.
    private static let closedStates: Set<String> = ["closed", "proposed", "abandoned", "disused", "removed"]

    /// A relation from the reader: values of the keys, and members; relations are encoded as −1 minus their
    /// id.
    struct Relation {
        var id: Int64
        var values: [String?]
        var members: [Int64]
        /// Members beside its main way: alternatives, excursions, approaches.
        var side: [Int64] = []
        /// The members that lead along it; all of them where none is of its main way.
        var main: [Int64] { members.isEmpty ? side : members }

        /// The value of a key.
        subscript(key: String) -> String? {
            guard let place = TrailRelations.keys.firstIndex(of: key), values.indices.contains(place) else {
                return nil
            }
            return values[place]
        }
    }

    /// The trails by importance, then by id.
    private(set) var trails: [Trail] = []
    /// The trails along each way, the most important first, by their index in `trails`.
    private(set) var ofWay: [Int64: [Int32]] = [:]
    /// Relations that refer to themselves.
    private(set) var notices: [String] = []

    init(_ relations: [Relation]) {
        let relations = relations.filter { !FerryRelations.isFerry($0) }
        let byID = Dictionary(relations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let made = byID.values.map { relation in
            Trail(
                id: relation.id, name: relation.values[0], ref: relation.values[1],
                network: relation.values[2],
                symbol: relation.values[3])
        }
        let closed = made.filter { byID[$0.id].flatMap(Self.closing) != nil }
        let closedIDs = Set(closed.map(\.id))
        let ordered = made.filter { $0.isMarked && !closedIDs.contains($0.id) }.sorted {
            ($0.rank, $0.id) < ($1.rank, $1.id)
        }
        var cyclic: Set<Int64> = []
        // Relations without a name and a waymark are no trails, but may belong to one.
        for relation in made where !relation.isMarked { _ = Self.ways(of: relation.id, byID, &cyclic) }
        for trail in ordered {
            let ways = Self.ways(of: trail.id, byID, &cyclic)
            // A relation without ways in this file is not a trail of the region.
            guard !ways.isEmpty else { continue }
            for way in ways { ofWay[way, default: []].append(Int32(trails.count)) }
            trails.append(trail)
        }
        notices = closed.sorted { $0.id < $1.id }.map { trail in
            "the trail \(trail.label ?? "\(trail.id)") is not used: \(byID[trail.id].flatMap(Self.closing) ?? "")"
        }
        notices += trails.sorted { $0.id < $1.id }.flatMap { trail in
            Self.times.compactMap { key in
                guard let value = byID[trail.id]?[key], !["no", "24/7"].contains(value) else { return nil }
                return "the trail \(trail.label ?? "\(trail.id)") is not always open: \(key)=\(value)"
            }
        }
        let listed = Set(trails.map(\.id))
        let branched = byID.values.filter {
            listed.contains($0.id) && !$0.side.isEmpty && !$0.members.isEmpty
        }
        if !branched.isEmpty {
            let count = branched.reduce(0) { $0 + $1.side.count }
            notices.append(
                "alternatives, excursions and approaches are no part of their trails here: "
                    + "\(count, of: "member") of \(branched.count, of: "trail")")
        }
        notices += cyclic.sorted().map { "the trail relation \($0) contains itself" }
    }

    /// The tag by which a trail cannot be followed; `nil` if none says so.
    private static func closing(_ relation: Relation) -> String? {
        if let state = relation["state"], closedStates.contains(state) { return "state=\(state)" }
        for key in ["abandoned", "disused"] {
            if let value = relation[key], value != "no" { return "\(key)=\(value)" }
        }
        let key = relation["foot"] == nil ? "access" : "foot"
        guard let value = relation[key], AccessRules.closes(value) else { return nil }
        return "\(key)=\(value)"
    }

    /// The ways of a relation and of its child relations, each once.
    private static func ways(
        of id: Int64, _ all: [Int64: Relation], _ cyclic: inout Set<Int64>
    ) -> Set<Int64> {
        var ways: Set<Int64> = []
        var seen: Set<Int64> = [id]
        var waiting = [id]
        while let next = waiting.popLast() {
            for member in all[next]?.main ?? [] {
                guard member < 0 else {
                    ways.insert(member)
                    continue
                }
                let inner = -(member + 1)
                if inner == id { cyclic.insert(id) }
                if seen.insert(inner).inserted { waiting.append(inner) }
            }
        }
        return ways
    }
}
