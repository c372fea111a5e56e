import Geodesy

/// A value that can be drawn on a map; domain objects conform to it.
public protocol MapDrawable {
    /// Its map features; throws if they cannot be read.
    var mapFeatures: [MapFeature] { get throws }
    /// The largest zoom of a map fitted to it.
    var nearestZoom: Double { get }
}

extension MapDrawable {
    /// By default, the same as for other maps.
    public var nearestZoom: Double { MapView.nearestZoom }
}

/// The base of a picture, chosen by the host.
public protocol MapBacking: Sendable {
    /// The attribution, shown on every picture.
    var attribution: String { get }
    /// The attribution in a terminal, which shows less.
    var cellAttribution: String { get }
    /// Those of a picture's features that are drawn on it.
    func features(_ features: [MapFeature]) -> [MapFeature]
    /// The map of a view, with labels clear of the features above; `nil` for a plain background.
    func drawing(of view: MapView, _ room: LabelObstacles) throws -> GroundDrawing?
}

/// A plain background.
public struct PlainBacking: MapBacking {
    /// No attribution.
    public var attribution: String { "" }
    /// No attribution.
    public var cellAttribution: String { "" }

    /// Creates a plain background.
    public init() {}

    /// All of them.
    public func features(_ features: [MapFeature]) -> [MapFeature] { features }
    /// Nothing.
    public func drawing(of view: MapView, _ room: LabelObstacles) throws -> GroundDrawing? { nil }
}

/// A base map whose content depends on the zoom.
public protocol MapGround: Sendable {
    /// The attribution.
    var attribution: String { get }
    /// Whether it has content in an area.
    func covers(_ box: BoundingBox) -> Bool
    /// Its content in a view, in a style given by name or file. Its labels avoid `blocked`.
    func drawing(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing
    /// The same with steep slopes shaded; `nil` if it has no heights.
    func slopes(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing?
    /// Its content reduced to the cells of a terminal; `nil` if nothing is left.
    func sketch(of view: MapView) throws -> TerminalGround?
}

extension MapGround {
    /// Pictures have no heights.
    public func slopes(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing? {
        nil
    }

    /// Pictures are not shown in a terminal.
    public func sketch(of view: MapView) throws -> TerminalGround? { nil }
}

/// A drawn base map.
public struct GroundDrawing: Sendable, Hashable {
    /// The colour of areas without data.
    public var color: Color
    /// Elements from bottom to top, below everything else.
    public var elements: [SceneElement]
    /// Names and symbols, which lie above routes and below pins.
    public var labels: [SceneElement]
    /// What is missing, such as tiles; `nil` if it is complete.
    public var notice: String?
    /// The attribution of the data that it shows; `nil` for that of the whole base map.
    public var attribution: String?
    /// Legend entries of the content that it shows.
    public var legend: [LegendEntry]

    /// A drawing.
    public init(
        color: Color, elements: [SceneElement], labels: [SceneElement] = [], legend: [LegendEntry] = []
    ) {
        self.color = color
        self.elements = elements
        self.labels = labels
        self.legend = legend
    }

    /// The map alone.
    public func scene(size: SceneSize) -> Scene {
        var scene = Scene(size: size, background: color)
        for element in elements + labels { scene.add(element) }
        return scene
    }
}

/// A line of a legend: a sample and its meaning.
public struct LegendEntry: Sendable, Hashable {
    /// Width and height of a sample in points.
    public static let sample = SceneSize(width: 26, height: 12)

    /// The sample, drawn around the origin.
    public var elements: [SceneElement]
    /// The meaning.
    public var words: String

    /// Makes an entry.
    public init(_ elements: [SceneElement], words: String) {
        self.elements = elements
        self.words = words
    }
}

/// An object that is already a map picture, with its own area and scale.
public protocol MapPicture: MapDrawable, Sendable {
    /// The whole picture on a map; scales in metric or imperial units.
    func mapScene(units: ScaleUnits, on base: any MapBacking) throws -> Scene
    /// The same in a terminal.
    func mapText(columns: Int, style: TerminalStyle, units: ScaleUnits) throws -> String
    /// The middle and the zoom of the map.
    var mapView: MapView { get }
}

/// An object with its own chart, such as an error over time with its limits.
public protocol ChartDrawable {
    /// The chart that shows it; lengths in metric or imperial units.
    func chart(units: ScaleUnits) -> Chart
}

/// An object with an elevation profile.
public protocol ProfileDrawable {
    /// The title of the profile; may be empty.
    var profileTitle: String { get }
    /// Metres from the start and metres above the sea, in order and in parts: between two parts nothing was recorded, or no
    /// height is known. Throws when they cannot be read.
    var profileParts: [[ProfilePoint]] { get throws }
    /// Metres of the whole way, also where no height is known; `nil` if heights are known to its end.
    var profileLength: Double? { get throws }
}

extension ProfileDrawable {
    /// Heights are known to its end.
    public var profileLength: Double? { nil }
}
