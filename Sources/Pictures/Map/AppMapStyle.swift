/// The looks of routes and waypoints on the apps' own maps: a purple line, and orange discs in place of pins.
public enum AppMapStyle {
    /// The word for it among the styles of maps.
    public static let name = "app"
    /// Purple, as the system of the apps has it in daylight.
    public static let route = MapLineStyle(
        stroke: Stroke(Color(0xAF52DE), width: MapTheme.route.stroke.width), casing: .white,
        layer: MapLayer.route, label: MapTheme.route.label)
    /// Orange, as the system of the apps has it in daylight; six hexadecimal digits.
    static let waypointColor = "FF9500"

    /// The same features with these looks; tracks, positions and all else stay.
    public static func applied(to features: [MapFeature]) -> [MapFeature] {
        features.map { feature in
            switch feature {
            case .route(let line): return .line(line, route)
            case .waypoint(var waypoint):
                waypoint.colorHex = waypointColor
                waypoint.isDisc = true
                return .waypoint(waypoint)
            default: return feature
            }
        }
    }
}
