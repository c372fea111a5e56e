import Geodesy
import Pictures
import PluginKit

/// A shape on which trips of a route run.
struct ShapeObject: FieldedObject, MapDrawable {
    let id: String
    let route: Feed.Route
    /// The number of trips on it.
    let trips: Int
    let line: [Coordinate]

    let typeName = "shape"

    static let fields = FieldTable<Self> {
        Field(column: "shape") { .text($0.id) }
        Field(column: "line") { .text($0.route.name) }
        Field(column: "mode") { .text(TransitMode(routeType: $0.route.type).rawValue) }
        Field(column: "trips") { .integer($0.trips) }
        Field(column: "length") { .quantity(.metres(Polyline.length($0.line))) }
        Field(column: "points") { .integer($0.line.count) }
        Field("routeId") { .text($0.route.id) }
    }

    var summary: String { "\(route.name), shape \(id)" }

    var mapFeatures: [MapFeature] { [.line(line, Self.style(route))] }

    /// A line in the colour of its route, above streets.
    static func style(_ route: Feed.Route, width: Double = 3) -> MapLineStyle {
        MapLineStyle(
            stroke: Stroke(Color(hex: route.drawnColor) ?? .black, width: width), casing: .white,
            layer: MapLayer.route, label: route.name)
    }
}

extension Feed.Route {
    /// The colour on maps: the route's own unless it is white, else that of its mode.
    var drawnColor: String {
        guard let color, Color(hex: color) != nil, color.uppercased() != "FFFFFF" else {
            return TransitMode(routeType: type).colorHex
        }
        return color
    }
}
