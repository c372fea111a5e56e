import CivilTime
import Foundation
import PluginKit

/// The tags of a way that matter to routing.
struct WayTags: Sendable, Hashable {
    /// The keys, in the order of the reader's values; the first marks a way.
    static let keys =
        TagKeys.columns + TagKeys.access + TagKeys.further + TagKeys.directions + TagKeys.levels
        + TagKeys.shapes
        + own
    /// The keys that do not affect the kind of a way.
    static let own = ["name", "ref"]
    private static let places = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })

    var values: [String?]
    /// The network of a marked trail along the way, or `yes`; added by the import.
    var trail: String?

    init(_ tags: [String: String]) { self.init(values: Self.keys.map { tags[$0] }) }

    /// The values of `keys` as a map has them, which are brought to their usual spelling.
    init(values: [String?], trail: String? = nil) {
        self.values = zip(Self.keys, values).map { key, value in
            value.map { TagSpelling.usual($0, of: key) }
        }
        self.trail = trail
    }

    subscript(_ key: String) -> String? { Self.places[key].flatMap { values[$0] } }

    /// Sets a tag unless it has another value.
    mutating func setIfAbsent(_ key: String, _ value: String) {
        guard let place = Self.places[key], values[place] == nil else { return }
        values[place] = value
    }

    /// Sets a tag, whatever its value.
    mutating func set(_ key: String, _ value: String) {
        if let place = Self.places[key] { values[place] = value }
    }

    /// Removes dates of a start that is past on a day.
    mutating func dropStarts(before day: CivilDate?) {
        for key in LifeDates.starts {
            guard let place = Self.places[key], let text = values[place] else { continue }
            if LifeDates.hasBegun(key, text, on: day) { values[place] = nil }
        }
    }

    /// The tags without a column.
    var further: [String: String] {
        var tags: [String: String] = [:]
        for key in TagKeys.access + TagKeys.further { tags[key] = self[key] }
        // What closes a direction is decided; what only restricts it is said.
        for key in TagKeys.suffixed {
            if let value = self[key], AccessRules.isDoubtful(value) { tags[key] = value }
        }
        // The many kinds of crossings are no kinds of ways; that nobody crosses there is.
        if tags["crossing"] != "no" { tags["crossing"] = nil }
        tags["sidewalk"] = tags["sidewalk"] ?? sidewalk
        tags["trail"] = trail
        return tags
    }
}

extension WayTags {
    /// `sidewalk` of a way that has the tags of its sides instead.
    fileprivate var sidewalk: String? {
        if let both = self["sidewalk:both"] { return both == "yes" ? "both" : both }
        let (left, right) = (self["sidewalk:left"], self["sidewalk:right"])
        switch (left == "yes", right == "yes") {
        case (true, true): return "both"
        case (true, false): return "left"
        case (false, true): return "right"
        // Of two sides without a pavement only the same value is that of both.
        case (false, false): return left == right ? left : nil
        }
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
    /// Whether it has a layer of its own, which may be a mistake: alone it does not lift a way off the ground.
    var isLayered = false
    /// Whether a closed way is the edge of an area that may be crossed.
    var isArea = false
}

/// Which ways are imported, and their properties.
enum WayRules {
    /// Ways that the original app supports.
    private static let appWays: Set<String> = [
        "path", "footway", "track", "cycleway", "bridleway", "steps", "pedestrian", "residential",
        "unclassified", "tertiary", "secondary", "primary", "trunk", "living_street", "service",
    ]
    /// Values of `highway` that are no way for walkers or cyclists, known as such.
    static let others: Set<String> = [
        "motorway", "motorway_link", "raceway", "bus_guideway", "busway", "services", "rest_area", "escape",
        "via_ferrata", "construction", "proposed", "planned", "abandoned", "disused", "demolished", "razed",
        "removed", "dismantled", "destroyed", "historic", "emergency_bay", "traffic_island", "ladder", "no",
        "crossing", "bus_stop", "street_lamp", "traffic_signals", "speed_camera", "turning_circle",
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
        var tags = tags
        guard let highway = usable(&tags), kept.contains(highway) else { return nil }
        var kind = EdgeKind(
            highway: highway, surface: tags["surface"], sacScale: tags["sac_scale"],
            trailVisibility: tags["trail_visibility"], tags: tags.further)
        guard isOpenToSomeone(kind) else { return nil }
        let bicycle = tags["bicycle"]
        let isClosed = tags["access"].map(closed.contains) ?? false
        if bicycle.map(closed.contains) ?? isClosed { kind.flags.insert(.noBicycle) }
        let isRoundabout = tags["junction"] == "roundabout"
        if isRoundabout { kind.flags.insert(.roundabout) }
        let isCircular = isRoundabout || tags["junction"] == "circular"
        let general = direction(tags["oneway"]) ?? (isCircular ? .forward : .both)
        let cycling = cycling(tags, general)
        let walking = walking(tags, highway == "steps" ? general : .both)
        if isOffGround(tags) { kind.flags.insert(.offGround) }
        kind.isOneway = cycling != .both
        let isFlipped = cycling == .backward
        if isFlipped, (TimedDirections.keys + ["incline"]).contains(where: { tags[$0] != nil }) {
            kind.flags.insert(.againstWay)
        }
        let (there, back) = (walking != .backward, walking != .forward)
        if !(isFlipped ? back : there) { kind.flags.insert(.noWalkForward) }
        if !(isFlipped ? there : back) { kind.flags.insert(.noWalkBackward) }
        let isAppWay =
            appWays.contains(highway) && !(tags["foot"].map(closed.contains) ?? false)
            && (!isClosed || (tags["foot"].map(allowed.contains) ?? false))
        let isArea = tags["area"] == "yes" || tags["man_made"] == "pier" && tags["area"] != "no"
        if tags["area"] == "yes" { kind.flags.insert(.area) }
        return WayVerdict(
            kind: kind, isFlipped: isFlipped, walksForward: isAppWay && !kind.flags.contains(.noWalkForward),
            walksBackward: isAppWay && !kind.flags.contains(.noWalkBackward),
            isLayered: Int(tags["layer"] ?? "0") != 0,
            isArea: isArea)
    }

    /// Whether a way is a bridge, a tunnel, a gallery or a ferry, whose heights are not those of the ground.
    private static func isOffGround(_ tags: WayTags) -> Bool {
        highway(tags) == "ferry"
            || ["bridge", "tunnel", "covered"].contains { tags[$0].map { $0 != "no" } ?? false }
    }

    /// The properties of an obstacle at a node.
    static func obstacle(_ tags: [String: String]) -> WayVerdict {
        let tags = named(tags)
        var further = tags.filter { !TagKeys.features.contains($0.key) }
        let isLift = further.removeValue(forKey: "highway") == "elevator"
        if further["barrier"] == nil, !isLift { further["barrier"] = unnamedBarrier(tags) }
        var kind = EdgeKind(highway: isLift ? "elevator" : nil, tags: further)
        if closed.contains(tags["bicycle"] ?? "") { kind.flags.insert(.noBicycle) }
        return WayVerdict(kind: kind)
    }

    /// The tags of a node by the usual names: `highway=ford` is an old one of a ford, and the height of a kerb its own. Of kerbs
    /// on both sides, of which it is not known which one is passed, the most careful counts.
    private static func named(_ tags: [String: String]) -> [String: String] {
        var tags = tags
        let sides = TagKeys.kerbSides.compactMap { tags.removeValue(forKey: $0) }
        if tags["kerb"] == nil { tags["kerb"] = sides.first { !lowKerbs.contains($0) } ?? sides.first }
        if tags["highway"] == "ford", tags["ford"] == nil { tags["ford"] = "yes" }
        if tags["highway"] == "steps", tags["barrier"] == nil { tags["barrier"] = "step" }
        if tags["barrier"] == "kerb", tags["kerb:height"] == nil { tags["kerb:height"] = tags["height"] }
        return tags
    }

    /// What a node without `barrier` is to those who pass.
    private static func unnamedBarrier(_ tags: [String: String]) -> String {
        if isHighKerb(tags) { return "kerb" }
        if isSet("ford", tags) { return "ford" }
        if isSet("hazard", tags) { return "hazard" }
        if tags["step_count"] != nil { return "step" }
        if let entry = ["entrance", "door"].first(where: { isSet($0, tags) }) { return entry }
        return isSet("locked", tags) || isSet("locked:conditional", tags) ? "gate" : "obstacle"
    }

    private static func isSet(_ key: String, _ tags: [String: String]) -> Bool {
        tags[key].map { $0 != "no" } ?? false
    }

    /// Whether a node's tags make it a possible obstacle.
    static func isObstacle(_ tags: [String: String]) -> Bool {
        let tags = named(tags)
        let marks = ["ford", "impassable", "obstacle", "locked", "locked:conditional"]
        if tags["highway"] == "elevator" || isHighKerb(tags) || marks.contains(where: { isSet($0, tags) }) {
            return true
        }
        if let passable = tags["passable"], passable != "yes" { return true }
        if let barrier = tags["barrier"] {
            if !openBarriers.contains(barrier) { return true }
            // Whoever passes an entrance or a booth pays.
            if ["fee", "charge", "toll:foot", "fee:conditional"].contains(where: { isSet($0, tags) }) {
                return true
            }
        }
        if hindersAtEntry(tags) || tags["step_count"].map({ $0 != "0" }) ?? false { return true }
        if let hazard = tags["hazard"], !CostProfile.harmlessHazards.contains(hazard) { return true }
        // Access of a crossing or a stop concerns what is there, not those who go past it.
        let isPassed = isEntry(tags) || !TagKeys.features.contains { isFeature($0, tags) }
        let isTrodden = tags["highway"].map(troddenNodes.contains) ?? true
        if isPassed, isTrodden, ["no", "limited"].contains(tags["wheelchair"]) { return true }
        guard tags["highway"] == nil, isPassed else { return false }
        return [TravelMode.hiking, .cycling].contains {
            AccessRules.verdict({ tags[$0] }, mode: $0).isClosed
        }
    }

    /// Values of `highway` at nodes over which the way itself leads.
    private static let troddenNodes: Set<String> = ["crossing", "elevator", "steps"]

    /// Values of `railway` at nodes over or through which the way itself leads.
    private static let troddenRailways: Set<String> = [
        "level_crossing", "crossing", "tram_level_crossing", "tram_crossing", "subway_entrance",
        "train_station_entrance",
    ]

    /// Whether a node is also something else beside the way, by one of `TagKeys.features`.
    private static func isFeature(_ key: String, _ tags: [String: String]) -> Bool {
        isSet(key, tags) && !(key == "railway" && troddenRailways.contains(tags[key] ?? ""))
    }

    /// Whether a node is a door or an entrance, through which the way leads.
    private static func isEntry(_ tags: [String: String]) -> Bool {
        ["entrance", "door", "barrier"].contains { isSet($0, tags) }
    }

    /// Whether a door or an entrance is a way out alone, has hours or a width, or revolves.
    private static func hindersAtEntry(_ tags: [String: String]) -> Bool {
        guard ["entrance", "door"].contains(where: { isSet($0, tags) }) || tags["barrier"] == "entrance"
        else {
            return false
        }
        return Hindrances.waysOut.contains(tags["entrance"] ?? "") || tags["door"] == "revolving"
            || ["opening_hours", "width", "maxwidth:physical"].contains { tags[$0] != nil }
    }

    /// Barriers that hinder nobody unless access is closed.
    private static let openBarriers: Set<String> = [
        "kerb", "height_restrictor", "entrance", "border_control", "toll_booth", "no",
    ]

    private static let lowKerbs: Set<String> = ["flush", "lowered", "no"]

    /// A kerb that wheels may not climb, also at a crossing; one of an unknown kind may be high.
    private static func isHighKerb(_ tags: [String: String]) -> Bool {
        tags["kerb"].map { !lowKerbs.contains($0) }
            ?? (tags["kerb:height"] != nil || tags["barrier"] == "kerb")
    }

    /// The kind of way: `highway`, or its equivalent on ferries, platforms and piers.
    private static func highway(_ tags: WayTags) -> String? {
        if let highway = tags["highway"] { return single(highway) }
        if tags["route"] == "ferry" { return "ferry" }
        if tags["railway"] == "platform" || tags["public_transport"] == "platform" { return "platform" }
        return tags["man_made"] == "pier" ? "footway" : nil
    }

    /// Ways for motor traffic, with the kind that they are to whom a tag of their own lets in.
    private static let byPermission = [
        "busway": "service", "motorway": "trunk", "motorway_link": "trunk_link",
    ]

    /// The kind of way; one for motor traffic alone is closed to all but those whom it names.
    private static func usable(_ tags: inout WayTags) -> String? {
        guard let highway = highway(tags), let usual = byPermission[highway] else { return highway(tags) }
        guard ["foot", "bicycle"].contains(where: { tags[$0].map(allowed.contains) ?? false }) else {
            return highway
        }
        tags.set("access", "no")
        // A motorway has one direction unless it says otherwise.
        if highway == "motorway", tags["oneway"] == nil { tags.set("oneway", "yes") }
        return usual
    }

    /// The kind that counts of a list such as `path;steps`: steps, else the largest road, else the first. A list with a kind
    /// that is no way, such as `construction;path`, is none.
    private static func single(_ highway: String) -> String {
        guard highway.contains(";") else { return highway }
        let parts = highway.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = parts.first, parts.allSatisfy(kept.contains) else { return highway }
        if parts.contains("steps") { return "steps" }
        let ranks = parts.map { EdgeKind(highway: $0).roadRank }
        guard let most = ranks.max(), most > 0, let road = ranks.firstIndex(of: most) else { return first }
        return parts[road]
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

    /// The direction of walkers; an escalator is not climbed against its direction.
    private static func walking(_ tags: WayTags, _ general: Direction) -> Direction {
        if let own = direction(tags["oneway:foot"]) ?? direction(tags["foot:oneway"])
            ?? suffixed(tags, ["foot", "access"])
        {
            return own
        }
        switch tags["conveying"] {
        case "forward": return .forward
        case "backward": return .backward
        default: return general
        }
    }

    /// The direction of cyclists, who may have a way of their own against a one-way street.
    private static func cycling(_ tags: WayTags, _ general: Direction) -> Direction {
        if let own = direction(tags["oneway:bicycle"]) ?? direction(tags["bicycle:oneway"])
            ?? suffixed(tags, ["bicycle", "vehicle", "access"])
        {
            return own
        }
        guard general != .both else { return .both }
        let isOpposite = lanes.contains {
            tags[$0].map { $0 == "opposite" || $0.hasPrefix("opposite_") } ?? false
        }
        let against = tags["bicycle" + (general == .forward ? ":backward" : ":forward")]
        if against.map(allowed.contains) ?? false { return .both }
        // A lane of its own direction exists only where the street has a lane.
        let hasLane = lanes.contains { key in
            guard let lane = tags[key], lane != "no", lane != "separate", lane != "none" else {
                return false
            }
            let own = direction(tags[key + ":oneway"])
            return own == .both || own == (general == .forward ? .backward : .forward)
        }
        return isOpposite || hasLane ? .both : general
    }

    /// The keys of lanes, each of which may have a direction: `cycleway:left:oneway`.
    private static let lanes = ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"]

    /// The direction that `foot:backward=no` and the like leave; closed both ways is a matter of access. The most
    /// specific key decides.
    private static func suffixed(_ tags: WayTags, _ keys: [String]) -> Direction? {
        func isClosed(_ side: String) -> Bool {
            for key in keys {
                if let value = tags[key + side] ?? tags[key] { return closed.contains(value) }
            }
            return false
        }
        let (there, back) = (isClosed(":forward"), isClosed(":backward"))
        return there == back ? nil : there ? .backward : .forward
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
