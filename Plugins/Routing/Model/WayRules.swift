import Foundation

/// The tags of a way that matter to routing.
struct WayTags: Sendable, Hashable {
    /// The keys, in the order of the reader's values; the first marks a way.
    static let keys = TagKeys.columns + TagKeys.access + TagKeys.further + own
    /// The keys that do not affect the kind of a way.
    static let own = ["name", "ref"]
    private static let places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })

    var values: [String?]
    /// The network of a marked trail along the way, or `yes`; added by the import.
    var trail: String?

    init(_ tags: [String: String]) { values = Self.keys.map { tags[$0] } }

    init(values: [String?], trail: String? = nil) {
        self.values = values
        self.trail = trail
    }

    subscript(_ key: String) -> String? { Self.places[key].flatMap { values[$0] } }

    /// The tags without a column.
    var further: [String: String] {
        var tags: [String: String] = [:]
        for key in TagKeys.access + TagKeys.further { tags[key] = self[key] }
        tags["trail"] = trail
        return tags
    }
}

/// The properties of an imported way.
struct WayVerdict: Sendable, Hashable {
    var kind: EdgeKind
    /// Whether its nodes are reversed, so that cyclists may always travel from → to.
    var isFlipped = false
    /// Whether the app allows walkers from → to and back, as in its cost columns.
    var walksForward = true
    var walksBackward = true
}

/// Which ways are imported, and their properties.
enum WayRules {
    /// Ways that the original app supports.
    private static let appWays: Set<String> = [
        "path", "footway", "track", "cycleway", "bridleway", "steps", "pedestrian", "residential",
        "unclassified", "tertiary", "secondary", "primary", "trunk", "living_street", "service",
    ]
    static let kept = appWays.union([
        "trunk_link", "primary_link", "secondary_link", "tertiary_link", "road", "corridor", "platform",
        "elevator", "ferry",
    ])
    private static let closed: Set<String> = ["no", "private"]
    private static let allowed: Set<String> = ["yes", "designated", "permissive", "official"]

    private enum Direction {
        case both
        case forward
        case backward
    }

    /// The properties of a way; `nil` if it is not imported: it is of another kind, or access is always
    /// forbidden.
    static func verdict(_ tags: WayTags) -> WayVerdict? {
        guard let highway = highway(tags), kept.contains(highway) else { return nil }
        var kind = EdgeKind(
            highway: highway, surface: tags["surface"], sacScale: tags["sac_scale"],
            trailVisibility: tags["trail_visibility"], tags: tags.further)
        guard isOpenToSomeone(kind) else { return nil }
        let bicycle = tags["bicycle"]
        let isClosed = tags["access"].map(closed.contains) ?? false
        if bicycle.map(closed.contains) ?? isClosed { kind.flags.insert(.noBicycle) }
        let isRoundabout = tags["junction"] == "roundabout"
        if isRoundabout { kind.flags.insert(.roundabout) }
        let general = direction(tags["oneway"]) ?? (isRoundabout ? .forward : .both)
        let cycling = direction(tags["oneway:bicycle"]) ?? general
        let walking = direction(tags["oneway:foot"]) ?? (highway == "steps" ? general : .both)
        kind.isOneway = cycling != .both
        let isFlipped = cycling == .backward
        let (there, back) = (walking != .backward, walking != .forward)
        if !(isFlipped ? back : there) { kind.flags.insert(.noWalkForward) }
        if !(isFlipped ? there : back) { kind.flags.insert(.noWalkBackward) }
        let isAppWay =
            appWays.contains(highway) && !(tags["foot"].map(closed.contains) ?? false)
            && (!isClosed || (tags["foot"].map(allowed.contains) ?? false))
        return WayVerdict(
            kind: kind, isFlipped: isFlipped, walksForward: isAppWay && !kind.flags.contains(.noWalkForward),
            walksBackward: isAppWay && !kind.flags.contains(.noWalkBackward))
    }

    /// The properties of an obstacle at a node.
    static func obstacle(_ tags: [String: String]) -> WayVerdict {
        var further = tags
        let isLift = further.removeValue(forKey: "highway") == "elevator"
        if further["barrier"] == nil, !isLift { further["barrier"] = "ford" }
        var kind = EdgeKind(highway: isLift ? "elevator" : nil, tags: further)
        if closed.contains(tags["bicycle"] ?? "") { kind.flags.insert(.noBicycle) }
        return WayVerdict(kind: kind)
    }

    /// Whether a node's tags make it a possible obstacle.
    static func isObstacle(_ tags: [String: String]) -> Bool {
        if tags["highway"] == "elevator" || (tags["ford"] ?? "no") != "no" { return true }
        guard let barrier = tags["barrier"] else { return false }
        return !["kerb", "height_restrictor", "entrance", "border_control", "toll_booth", "no"].contains(
            barrier)
    }

    /// The kind of way: `highway`, or its equivalent on ferries and railway platforms.
    private static func highway(_ tags: WayTags) -> String? {
        if let highway = tags["highway"] { return highway }
        if tags["route"] == "ferry" { return "ferry" }
        return tags["railway"] == "platform" ? "platform" : nil
    }

    private static func isOpenToSomeone(_ kind: EdgeKind) -> Bool {
        let modes: [AccessRules.Verdict] = [.hiking, .cycling].map {
            AccessRules.verdict(kind.value, mode: $0)
        }
        return AccessRules.mayOpen(kind.value)
            || modes.contains { verdict in
                if case .closed(_, let unless) = verdict { unless != nil } else { true }
            }
    }

    private static func direction(_ value: String?) -> Direction? {
        switch value {
        case "yes", "true", "1": .forward
        case "-1", "reverse": .backward
        case "no", "false", "0": .both
        default: nil
        }
    }
}
