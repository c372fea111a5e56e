import Geodesy
import PluginKit

/// Functions of coordinates, on the sphere of the Geodesy module.
enum PlaceFunctions {
    static let all = [
        Function(
            "distance", "a, b", "measure the distance between two coordinates", 2...2,
            ("distance(46.5,7.9, 46.6,7.9)", "11.1km")
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "distance")
            return .quantity(.metres(a.distance(to: b)))
        },
        Function(
            "bearing", "a, b", "return the initial bearing from one coordinate to another", 2...2,
            ("bearing(46.5,7.9, 46.5,8.0)", "90deg")
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "bearing")
            return .quantity(.degrees(a.bearing(to: b)))
        },
        Function(
            "destination", "start, bearing, distance", "return the coordinate at a bearing and distance",
            3...3,
            ("destination(0,0, 90deg, 100km)", "0,0.899068")
        ) { values, _ throws(RutterError) in
            let start = try Argument.coordinate(values[0], "destination")
            let bearing = try Argument.quantity(values[1], .angle, "destination")
            let distance = try Argument.quantity(values[2], .length, "destination")
            return .coordinate(start.destination(bearing: bearing, distance: distance))
        },
        Function(
            "midpoint", "a, b", "return the coordinate halfway between two others", 2...2,
            ("midpoint(0,0, 0,10)", "0,5")
        ) { values, _ throws(RutterError) in
            let (a, b) = try pair(values, "midpoint")
            return .coordinate(a.midpoint(to: b))
        },
        Function(
            "within", "at, box  or  at, centre, radius", "test whether a coordinate is in a box or circle",
            2...3,
            ("within(46.5,7.9, 46,7,47,8)", "true"), ("within(46.5,7.9, 46.6,7.9, 5km)", "false")
        ) { values, _ throws(RutterError) in
            let place = try Argument.coordinate(values[0], "within")
            guard values.count == 3 else {
                guard case .box(let box) = values[1] else {
                    throw Argument.wrong(values[1], "within", "a box, or a centre and a radius")
                }
                return .boolean(box.contains(place))
            }
            let centre = try Argument.coordinate(values[1], "within")
            let radius = try Argument.quantity(values[2], .length, "within")
            return .boolean(place.distance(to: centre) <= radius)
        },
    ]

    private static func pair(_ values: [Value], _ name: String) throws(RutterError) -> (
        Coordinate, Coordinate
    ) {
        (try Argument.coordinate(values[0], name), try Argument.coordinate(values[1], name))
    }
}
