/// Colours and measures of maps.
public enum MapTheme {
    /// Background without tiles.
    public static let ground = Color(0xF4F1EA)
    /// Colour beyond the edge of the world.
    public static let void = Color(0xDDE3E8)
    /// A planned route.
    public static let route = MapLineStyle(
        stroke: Stroke(Color(0x2F7DE1), width: 6), casing: .white, layer: MapLayer.route, label: "route")
    /// A recorded track.
    public static let track = MapLineStyle(
        stroke: Stroke(Color(0xD9480F), width: 3), casing: .white, layer: MapLayer.track, label: "track")
    /// A planned route on a base map with ways: no wider than needed for visibility, and violet, because blue
    /// is used for water.
    public static let narrowRoute = MapLineStyle(
        stroke: Stroke(Color(0xA040FF), width: 4), casing: route.casing, layer: route.layer,
        label: route.label)
    /// A recorded track on such a map: not red or brown, which are used for paths and tracks.
    public static let narrowTrack = MapLineStyle(
        stroke: Stroke(Color(0xC04080), width: 3), casing: track.casing, layer: track.layer,
        label: track.label)
    /// Arrows and distances along a planned route.
    public static let routeMark = Color(0x3D1F8A)
    /// Arrows and distances along a recorded track.
    public static let trackMark = Color(0x7A1F50)
    /// The position and its cone.
    public static let position = Color(0x1E88E5)
    /// The colour of a waypoint with an invalid colour: that of the category `custom`.
    public static let fallback = Color(0xE67E22)

    static let casingWidth = 2.0
    static let positionRadius = 8.0
    static let positionEdge = 2.5
    static let coneLength = 44.0
    static let coneHalfAngle = 30.0
    static let margin = 14.0
    static let graticule = Stroke(Color(0x8A94A3), width: 0.8, dash: [4, 12], opacity: 0.8)
    static let graticuleSpacing = 90.0
    static let titleSize = 15.0
    static let smallSize = 9.0
    static let compassRadius = 17.0
    static let scaleBarWidth = 130.0
}
