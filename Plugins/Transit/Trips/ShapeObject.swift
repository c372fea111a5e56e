import Geodesy
import Pictures
import PluginKit

/// A shape on which trips of a route run.
struct ShapeObject: DomainObject, MapDrawable {
    static let columns = ["shape", "line", "mode", "trips", "length", "points"]

    let id: String
    let route: Feed.Route
    /// The number of trips on it.
    let trips: Int
    let line: [Coordinate]

    let typeName = "shape"
    var fieldNames: [String] { Self.columns + ["routeId"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "shape": .text(id)
        case "line": .text(route.name)
        case "mode": .text(TransitMode(routeType: route.type).rawValue)
        case "trips": .integer(trips)
        case "length": .quantity(.metres(Polyline.length(line)))
        case "points": .integer(line.count)
        case "routeId": .text(route.id)
        default: nil
        }
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
