import Foundation

/// The tags of an edge, without its name. Edges with the same tags share one kind.
package struct EdgeKind: Sendable, Hashable {
    /// The tags without a column in the apps' tables, which are stored in a separate table.
    package struct Flags: OptionSet, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        /// Bicycles are not allowed.
        static let noBicycle = Flags(rawValue: 1)
        /// Part of a roundabout.
        static let roundabout = Flags(rawValue: 2)
        /// Closed to walkers from → to, whatever the access.
        static let noWalkForward = Flags(rawValue: 4)
        /// Closed to walkers to → from.
        static let noWalkBackward = Flags(rawValue: 8)
        /// Off the ground, as on a bridge or in a tunnel: its heights are those between its ends.
        static let offGround = Flags(rawValue: 16)
        /// Against the direction of its way, whose tags name forward and backward by time.
        static let againstWay = Flags(rawValue: 32)
        /// The edge of an area or a line across it, which no walker sees.
        package static let area = Flags(rawValue: 64)
    }

    package var highway: String?
    package var surface: String?
    var sacScale: String?
    var trailVisibility: String?
    /// Closed to cyclists to → from. Restrictions of walkers are in the stored costs.
    var isOneway: Bool
    var flags: Flags
    /// Further tags by key; `nil` if the graph does not have them, such as one of an app.
    var tags: [String: String]?

    package init(
        highway: String? = nil, surface: String? = nil, sacScale: String? = nil,
        trailVisibility: String? = nil, isOneway: Bool = false, flags: Flags = [],
        tags: [String: String]? = nil
    ) {
        self.highway = highway
        self.surface = surface
        self.sacScale = sacScale
        self.trailVisibility = trailVisibility
        self.isOneway = isOneway
        self.flags = flags
        self.tags = tags
    }

    /// The value of a tag.
    package func value(_ key: String) -> String? {
        switch key {
        case "highway": highway
        case "surface": surface
        case "sac_scale": sacScale
        case "trail_visibility": trailVisibility
        default: tags?[key]
        }
    }

    /// Whether its duration is independent of walking.
    var isRide: Bool { highway == "ferry" || highway == "elevator" }
    /// Whether access depends on the time.
    var isTimed: Bool {
        tags?.keys.contains { $0 == "opening_hours" || $0.hasSuffix(":conditional") } ?? false
    }
    /// A gate, stile or other obstacle: an edge without length between two sides of a node.
    package var obstacle: String? { tags?["barrier"] }

    /// The speed of a ferry in metres per second: by its `duration`, else the usual one.
    var ferrySpeed: Double { tags?["ferry:speed"].flatMap { Double($0) } ?? RoutingSettings.ferrySpeed }

    /// The grade, if one of the six is named; the hardest of several.
    package var sac: SACScale? { sacScale.flatMap(SACScale.init(tag:)) }
    var isSteps: Bool { highway == "steps" }
    package var isRoundabout: Bool { flags.contains(.roundabout) }

    /// Whether it leads up in a direction of travel, by the sign of `incline`; `nil` where the map does not say.
    func ascends(isReversed: Bool) -> Bool? {
        guard let incline = value("incline")?.trimmingCharacters(in: .whitespaces) else { return nil }
        let isUp: Bool
        switch incline {
        case "up": isUp = true
        case "down": isUp = false
        default:
            guard let percent = TagMeasures.percent(incline), percent > 0 else { return nil }
            isUp = !incline.hasPrefix("-")
        }
        return isUp != (isReversed != flags.contains(.againstWay))
    }

    /// The importance of a road, in the order of OSM's classes: 0 for paths and tracks … 5 for trunk roads.
    var roadRank: Int {
        switch highway {
        case "trunk", "trunk_link", "motorway", "motorway_link": 5
        case "primary", "primary_link": 4
        case "secondary", "secondary_link": 3
        case "tertiary", "tertiary_link": 2
        case "residential", "unclassified", "living_street", "service", "road": 1
        default: 0
        }
    }
}
