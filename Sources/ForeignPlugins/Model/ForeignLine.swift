import CivilTime
import Geodesy
import Pictures
import PluginKit

/// A line of a plugin: its points are rows, and a map draws it as a line.
struct ForeignLine: TabularObject, MapDrawable {
    let typeName = "line"
    let points: [Coordinate]
    /// A time for each point; `nil` if no point has one.
    let times: [Timestamp?]?

    /// Its coordinates, or coordinates and times.
    var table: Rows {
        guard let times else { return Rows(points.map { .coordinate($0) }) }
        return Rows(
            columns: ["at", "time"],
            cells: zip(points, times).map { [.coordinate($0), Value($1) { .date($0) }] })
    }

    let fieldNames = ["points", "length"]

    func field(_ name: String) -> Value? {
        switch name {
        case "points": .integer(points.count)
        case "length": .quantity(.metres(Polyline.length(points)))
        default: nil
        }
    }

    var summary: String { "line of \(points.count) points" }

    var mapFeatures: [MapFeature] {
        guard points.count > 1 else { return points.map { .point($0, MapPointStyle(color: Self.color)) } }
        return [.line(points, MapLineStyle(stroke: Stroke(Self.color, width: 3), layer: MapLayer.route))]
    }

    private static let color = Color(0x2F7DE1)
}
