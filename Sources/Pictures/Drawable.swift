import Geodesy

/// A thing that can be drawn on a map; domain objects conform to it.
public protocol MapDrawable {
    /// What is drawn of it; throws when that cannot be read.
    var mapFeatures: [MapFeature] { get throws }
}

/// A map that others lie on: what it shows depends on the zoom.
public protocol MapGround: Sendable {
    /// Whose data it shows.
    var attribution: String { get }
    /// Whether it shows something of a part of the world.
    func covers(_ box: BoundingBox) -> Bool
    /// What of it a view shows, in a style of a name or file. Its labels stay clear of `blocked`.
    func drawing(of view: MapView, style: String, blocked: [SceneRect]) throws -> GroundDrawing
}

/// A map that others lie on, drawn.
public struct GroundDrawing: Sendable, Hashable {
    /// The colour of what nothing is known of.
    public var color: Color
    /// From the lowest to the highest, below everything else.
    public var elements: [SceneElement]
    /// Names and symbols, which lie above routes and below pins.
    public var labels: [SceneElement]

    /// A drawing.
    public init(color: Color, elements: [SceneElement], labels: [SceneElement] = []) {
        self.color = color
        self.elements = elements
        self.labels = labels
    }

    /// The map alone.
    public func scene(size: SceneSize) -> Scene {
        var scene = Scene(size: size, background: color)
        for element in elements + labels { scene.add(element) }
        return scene
    }
}

/// A thing that is a picture of a map already, with an area and a scale of its own.
public protocol MapPicture: MapDrawable, Sendable {
    /// The whole picture; scales in metric or imperial units.
    func mapScene(units: ScaleUnits) throws -> Scene
    /// The same in a terminal.
    func mapText(columns: Int, style: TerminalStyle, units: ScaleUnits) throws -> String
    /// The middle and the zoom of the map.
    var mapView: MapView { get }
}

/// A thing with a chart of its own, such as an error over time with the limits drawn in.
public protocol ChartDrawable {
    /// The chart that shows it; lengths in metric or imperial units.
    func chart(units: ScaleUnits) -> Chart
}

/// A thing with an elevation profile.
public protocol ProfileDrawable {
    /// What the profile is called; may be empty.
    var profileTitle: String { get }
    /// Metres from the start and metres above the sea, in order; throws when they cannot be read.
    var profilePoints: [(distance: Double, elevation: Double)] { get throws }
}
