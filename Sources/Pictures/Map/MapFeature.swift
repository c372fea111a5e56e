import Foundation
import Geodesy

/// The layers of a map, in the order of the app.
public enum MapLayer {
    /// Map tiles.
    public static let tile = 0
    /// The net of meridians and parallels.
    static let graticule = 20
    /// Ways drawn in place of a missing base map.
    public static let network = 29
    /// Areas and lines of a base map.
    public static let base = 30
    /// A planned route.
    public static let route = 40
    /// A recorded track.
    public static let track = 50
    /// Arrows along ways.
    public static let arrow = 55
    /// Names of the base map.
    public static let names = 60
    /// Distances along ways.
    public static let milestone = 65
    /// Points that are not waypoints.
    public static let point = 70
    /// Waypoint markers.
    public static let waypoint = 75
    /// Badges.
    public static let badge = 80
    /// The circle of the position's accuracy.
    public static let accuracy = 98
    /// The cone that shows where the device points.
    public static let heading = 99
    /// The position.
    public static let position = 100
    /// Title, scale bar and attribution.
    public static let furniture = 190
    /// The compass.
    public static let compass = 200
}

/// A waypoint, or another place with a pin.
public struct MapWaypoint: Sendable, Hashable {
    /// The name of its element, `waypoint-<UUID>` for a waypoint.
    public var name: String
    /// Where it is.
    public var coordinate: Coordinate
    /// Its name; may be empty.
    public var label: String
    /// Six hexadecimal digits; anything else is drawn in the colour of the category `custom`.
    public var colorHex: String
    /// An SF Symbol name; unknown ones are drawn as `mappin`.
    public var icon: String
    /// Whether it is a disc around its place, not a pin above it.
    var isDisc = false

    /// Makes the marker of a waypoint.
    public init(id: UUID, coordinate: Coordinate, label: String, colorHex: String, icon: String) {
        self.init(
            name: "waypoint-" + id.uuidString, coordinate: coordinate, label: label, colorHex: colorHex,
            icon: icon)
    }

    /// Makes the marker of something else, such as a stop, with its own name.
    public init(name: String, coordinate: Coordinate, label: String, colorHex: String, icon: String) {
        self.name = name
        self.coordinate = coordinate
        self.label = label
        self.colorHex = colorHex
        self.icon = icon
    }

    var color: Color { Color(hex: colorHex) ?? MapTheme.fallback }
}

/// How a line on a map is drawn.
public struct MapLineStyle: Sendable, Hashable {
    /// Colour, width, dash.
    public var stroke: Stroke
    /// A wider line below it, for contrast with the map.
    public var casing: Color?
    /// The layer.
    public var layer: Int
    /// The name in the legend; empty to omit it.
    public var label: String
    /// Whether it needs a legend, as for a colour scale.
    public var isExplained: Bool

    /// Makes a style.
    public init(
        stroke: Stroke, casing: Color? = nil, layer: Int = MapLayer.base, label: String = "",
        isExplained: Bool = false
    ) {
        self.stroke = stroke
        self.casing = casing
        self.layer = layer
        self.label = label
        self.isExplained = isExplained
    }
}

/// How an area on a map is drawn.
public struct MapAreaStyle: Sendable, Hashable {
    /// The filling.
    public var fill: Fill?
    /// The edge.
    public var stroke: Stroke?
    /// The layer.
    public var layer: Int

    /// Makes a style.
    public init(fill: Fill? = nil, stroke: Stroke? = nil, layer: Int = MapLayer.base) {
        self.fill = fill
        self.stroke = stroke
        self.layer = layer
    }
}

/// The outline of a point's mark, which distinguishes kinds of points without colour.
public enum PointShape: String, Sendable, Hashable, CaseIterable {
    /// A filled disc.
    case disc
    /// A ring, white inside.
    case ring
    /// A filled square.
    case square
    /// The outline of a square, white inside.
    case box
    /// A filled square on its corner.
    case diamond
    /// A filled triangle that points up.
    case triangle
    /// Where a way begins: a disc with an arrow.
    case start
    /// Where it ends: a disc with a square.
    case finish
    /// Where it begins and ends.
    case roundTrip
}

/// How a point on a map is drawn.
public struct MapPointStyle: Sendable, Hashable {
    /// The colour of the dot.
    public var color: Color
    /// Radius of the dot in points.
    public var radius: Double
    /// The outline in a file.
    public var shape: PointShape
    /// The character in a terminal; ASCII.
    public var symbol: Character
    /// The label; empty for none.
    public var label: String
    /// The kind, shown in the legend in place of the label; `nil` for a labelled point.
    public var legend: String?
    /// The layer.
    public var layer: Int

    /// Makes a style.
    public init(
        color: Color, radius: Double = 4, shape: PointShape = .disc, symbol: Character = "o",
        label: String = "", legend: String? = nil, layer: Int = MapLayer.point
    ) {
        self.color = color
        self.radius = radius
        self.shape = shape
        self.symbol = symbol
        self.label = label
        self.legend = legend
        self.layer = layer
    }
}

/// A short text at a point that stays readable above pins, such as the count of a cluster, or a ring around a
/// selected point.
public struct MapBadge: Sendable, Hashable {
    /// The text; in a file it is drawn on the disc.
    public var text: String
    /// Whether the badge is a ring that marks what it surrounds; its text is shown in terminals only.
    public var isRing: Bool
    /// The colour of the disc or ring.
    public var color: Color
    /// The label; empty for none.
    public var label: String
    /// The layer.
    public var layer: Int

    /// Makes a badge.
    public init(
        _ text: String, isRing: Bool = false, color: Color, label: String = "", layer: Int = MapLayer.badge
    ) {
        self.text = text
        self.isRing = isRing
        self.color = color
        self.label = label
        self.layer = layer
    }

    /// The radius in points: the text fits.
    var radius: Double { isRing ? 13 : 9 + 2.5 * Double(max(1, text.count)) }
}

/// A feature on a map.
public enum MapFeature: Sendable, Hashable {
    /// A tile of a base map: JPEG or PNG.
    case tile(TileAddress, data: [UInt8])
    /// A planned route.
    case route([Coordinate])
    /// A recorded track.
    case track([Coordinate])
    /// Arrows and distances along a way, whose parts are consecutive; drawn in files only.
    case milestones([[Coordinate]], Color)
    /// A pin.
    case waypoint(MapWaypoint)
    /// The device's position, heading (degrees from north) and accuracy (metres).
    case position(Coordinate, heading: Double?, accuracy: Double?)
    /// An area; further rings are holes.
    case polygon([[Coordinate]], MapAreaStyle)
    /// Any other line.
    case line([Coordinate], MapLineStyle)
    /// Any other point.
    case point(Coordinate, MapPointStyle)
    /// A badge.
    case badge(Coordinate, MapBadge)

    /// The coordinates to fit a map to; a tile has none.
    public var coordinates: [Coordinate] {
        switch self {
        case .tile, .milestones: []
        case .route(let line), .track(let line), .line(let line, _): line
        case .waypoint(let waypoint): [waypoint.coordinate]
        case .position(let place, _, _), .point(let place, _), .badge(let place, _): [place]
        case .polygon(let rings, _): rings.first ?? []
        }
    }
}
