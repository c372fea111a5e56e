/// The tags that an import keeps. Rules of profiles may use only these: a rule on a tag that no region has
/// would silently never apply.
package enum TagKeys {
    /// Tags of ways with a column of their own.
    static let columns = ["highway", "surface", "sac_scale", "trail_visibility"]
    /// Tags of ways that decide on access.
    static let access =
        [
            "access", "foot", "bicycle", "vehicle", "motorroad", "military", "oneway", "oneway:foot",
            "oneway:bicycle", "locked", "access:foot", "access:bicycle", "bicycle_road",
        ] + conditional + timed
    /// Conditional restrictions.
    static let conditional = [
        "access:conditional", "foot:conditional", "bicycle:conditional", "vehicle:conditional",
        "access:foot:conditional", "access:bicycle:conditional",
    ]
    /// Conditional restrictions of one direction, and of locks.
    static let timed = TimedDirections.keys + ["locked:conditional"]
    /// Tags of ways that say that they are no more, or are in the way.
    static let conditions =
        [
            "impassable", "passable", "abandoned", "disused", "demolished", "razed", "removed", "destroyed",
            "dismantled", "collapsed", "construction", "overgrown", "obstacle", "flood_prone", "hazard",
            "ladder", "safety_rope", "assisted_trail", "depth", "step_count", "fee", "toll:foot", "toll",
            "charge", "crossing", "blocked", "closed", "damage", "status", "proposed", "planned", "flooded",
            "fee:conditional", "toll:conditional", "toll:foot:conditional", "hiking",
            "reservation", "permit", "ruins", "ruined", "cai_scale",
        ] + operation + climbing + temporary + lifecycle + LifeDates.keys
    /// Tags of what is run, such as a lift, and may be out of order.
    static let operation = ["operational_status"]
    /// Tags of ways that are climbed rather than walked.
    static let climbing = ["climbing:grade:uiaa", "uiaa_scale", "via_ferrata", "rungs", "climbing"]
    /// Tags of access for a while.
    static let temporary = [
        "temporary:access", "temporary:foot", "temporary:bicycle", "access:temporary", "foot:temporary",
        "bicycle:temporary",
    ]
    /// Tags of ways that were, or will be, of a kind.
    static let lifecycle = [
        "abandoned:highway", "disused:highway", "demolished:highway", "razed:highway", "removed:highway",
        "destroyed:highway", "construction:highway",
    ]
    /// Further tags of ways used by costs.
    static let further =
        [
            "route", "railway", "junction", "tracktype", "smoothness", "sidewalk", "sidewalk:left",
            "sidewalk:right", "sidewalk:both", "footway", "service", "wheelchair", "incline", "lit", "tunnel",
            "bridge", "ford", "segregated", "handrail", "via_ferrata_scale", "mtb:scale", "maxspeed",
            "duration",
            "informal", "seasonal", "winter_service", "tidal", "ice_road", "winter_road", "opening_hours",
            "conveying", "kerb", "kerb:height", "width", "est_width", "maxwidth:physical", "incline:across",
            "ramp", "ramp:bicycle", "ramp:wheelchair", "maxwidth", "wheelchair:conditional",
        ] + conditions
    /// Tags of ways that decide on the directions only; an edge keeps the decision, not the tags.
    static let directions = [
        "foot:forward", "foot:backward", "bicycle:forward", "bicycle:backward", "vehicle:forward",
        "vehicle:backward", "access:forward", "access:backward", "cycleway", "cycleway:left",
        "cycleway:right", "cycleway:both", "cycleway:oneway", "cycleway:left:oneway",
        "cycleway:right:oneway", "cycleway:both:oneway", "bicycle:oneway",
        "foot:oneway",
    ]
    /// Those of access by walkers and cyclists.
    static let suffixed = ["foot:forward", "foot:backward", "bicycle:forward", "bicycle:backward"]
    /// Tags of ways that decide only whether they are on the ground, besides `bridge` and `tunnel`.
    static let levels = ["layer", "covered"]
    /// Tags of ways that decide only on their shape: an area, a pier or a platform.
    static let shapes = ["area", "man_made", "public_transport"]
    /// Tags of nodes that may be obstacles; the first ones identify such a node.
    static let obstacles =
        [
            "barrier", "ford", "highway", "kerb", "impassable", "passable", "obstacle", "locked",
            "locked:conditional", "access", "foot", "bicycle", "hazard", "wheelchair", "kerb:height",
            "step_count", "entrance", "door", "depth", "vehicle", "opening_hours", "tidal", "width",
            "maxwidth:physical", "incline", "fee", "access:foot",
            "access:bicycle", "height", "maxwidth", "toll:foot", "charge", "lock", "fee:conditional",
            "status", "oneway", "oneway:foot", "foot:forward",
            "foot:backward",
        ] + operation + conditional + features + kerbSides
    /// Keys of the kerbs of a crossing by side; read as `kerb`.
    static let kerbSides = ["kerb:both", "kerb:left", "kerb:right"]
    /// The number of keys in `obstacles` that identify a node.
    static let obstacleMarks = 18
    /// Keys of what is at a node, to which its access applies, not to those who go past it.
    static let features = [
        "amenity", "tourism", "natural", "power", "shop", "office", "craft", "man_made", "historic",
        "leisure",
        "emergency", "public_transport", "traffic_sign", "place", "advertising",
        "railway", "aerialway", "information",
    ]
    /// Tags of edges that the import sets: `trail` is the network of a marked hiking trail along the way, or
    /// `yes`; `barrier` and `locked` are those of an obstacle; `ferry:speed` is in metres per second, from `duration`.
    static let derived = ["trail", "barrier", "locked", "ferry:speed"]

    /// Every key that a rule may use, in order.
    package static let all = Set(obstacles).subtracting(features + kerbSides)
        .union(columns + access + further + derived).sorted()
}

/// Tags of an edge without a column, as one text: a line for each, in the order of the keys.
enum TagText {
    /// The text of tags; keys and values without line breaks.
    static func text(_ tags: [(key: String, value: String)]) -> String {
        tags.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { tag in
            tag.key + "=" + tag.value.map { $0.isNewline ? " " : String($0) }.joined()
        }.joined(separator: "\n")
    }

    /// The tags of a text.
    static func tags(_ text: String) -> [String: String] {
        var tags: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            tags[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return tags
    }
}
