/// The tags of a way that matter to routing.
struct WayTags: Sendable, Hashable {
    /// The keys, in the order of the reader's values; the first marks a way.
    static let keys = [
        "highway", "surface", "sac_scale", "trail_visibility", "name", "access", "foot", "bicycle", "oneway",
        "oneway:foot", "oneway:bicycle", "junction",
    ]

    var values: [String?]

    init(_ tags: [String: String]) { values = Self.keys.map { tags[$0] } }

    init(values: [String?]) { self.values = values }

    subscript(_ key: String) -> String? { Self.keys.firstIndex(of: key).flatMap { values[$0] } }
}

/// The properties of an imported way.
struct WayVerdict: Sendable, Hashable {
    var kind: EdgeKind
    /// Whether its nodes are to be taken in reverse, so that cyclists may always go from → to.
    var isFlipped = false
    /// Whether walkers may go from → to, and back.
    var walksForward = true
    var walksBackward = true
}

/// Which ways are imported, and their properties.
enum WayRules {
    static let kept: Set<String> = [
        "path", "footway", "track", "cycleway", "bridleway", "steps", "pedestrian", "residential",
        "unclassified", "tertiary", "secondary", "primary", "trunk", "living_street", "service",
    ]
    private static let closed: Set<String> = ["no", "private"]
    private static let allowed: Set<String> = ["yes", "designated", "permissive", "official"]

    private enum Direction {
        case both
        case forward
        case backward
    }

    /// The properties of a way; `nil` if it is not imported.
    static func verdict(_ tags: WayTags) -> WayVerdict? {
        guard let highway = tags["highway"], kept.contains(highway) else { return nil }
        let isClosed = tags["access"].map(closed.contains) ?? false
        if isClosed, !(tags["foot"].map(allowed.contains) ?? false) { return nil }
        var kind = EdgeKind(
            highway: highway, surface: tags["surface"], sacScale: tags["sac_scale"],
            trailVisibility: tags["trail_visibility"])
        let bicycle = tags["bicycle"]
        if bicycle.map(closed.contains) ?? (isClosed) { kind.flags.insert(.noBicycle) }
        let isRoundabout = tags["junction"] == "roundabout"
        if isRoundabout { kind.flags.insert(.roundabout) }
        let general = direction(tags["oneway"]) ?? (isRoundabout ? .forward : .both)
        let cycling = direction(tags["oneway:bicycle"]) ?? general
        let walking = direction(tags["oneway:foot"]) ?? (highway == "steps" ? general : .both)
        kind.isOneway = cycling != .both
        let mayWalk = !(tags["foot"].map(closed.contains) ?? false)
        let isFlipped = cycling == .backward
        let (there, back) = (mayWalk && walking != .backward, mayWalk && walking != .forward)
        return WayVerdict(
            kind: kind, isFlipped: isFlipped, walksForward: isFlipped ? back : there,
            walksBackward: isFlipped ? there : back)
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
