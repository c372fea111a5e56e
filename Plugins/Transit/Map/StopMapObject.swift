import CivilTime
import Geodesy
import Pictures
import PluginKit

/// The app's screen as a value: displayed as map and drawer, with fields.
struct StopMapObject: FieldedObject, SelfRendering, MapPicture {
    let map: StopMap
    var frame: StopMapFrame
    /// The session's time, for the field `pending`.
    let now: Timestamp
    /// Whether there is a timetable whose stops it can show.
    let hasTimetable: Bool

    let typeName = "stopMap"

    static let fields = FieldTable<Self> {
        Field("center") { .coordinate($0.map.center) }
        Field("zoom") { .number($0.map.zoom) }
        Field("region") { .box($0.map.region) }
        Field("shown") { .integer($0.frame.marks.stops) }
        Field("loaded") { .integer($0.map.loaded?.points.count ?? 0) }
        Field("total") { .integer($0.map.loaded?.total ?? 0) }
        Field("pending") { Value($0.pending, Value.quantity) }
        Field("pins") { .rows(Rows(objects: $0.frame.marks.pins, columns: StopObject.columns, cut: $0.cut)) }
        Field("clusters") {
            .rows(
                Rows(
                    objects: $0.frame.marks.clusters, columns: ["count", "name", "at", "radius"], cut: $0.cut)
            )
        }
        Field("labels") {
            .list(
                $0.frame.marks.clusters.map { .text($0.summary) }
                    + $0.frame.marks.pins.map { .text($0.stop.label) }
            )
        }
        Field("selected") { Value($0.frame.selected) { .object($0) } }
        Field("drawer") { Value($0.map.drawer) { .object(DrawerObject(drawer: $0)) } }
        Field("events") { .table(columns: MapEvent.columns, rows: $0.map.events.map(\.row)) }
    }

    /// Marks a map as incomplete when its region has more stops than were loaded.
    private var cut: Cut? { map.loaded.flatMap { Cut(stops: $0.points.count, of: $0.total) } }

    /// The time until stops are loaded.
    private var pending: Quantity? {
        map.dueAt.map { Quantity(max(0, $0.seconds(since: now)), .duration) }
    }

    var summary: String { "map at \(Literal.coordinate(map.center)), \(status)" }

    var mapFeatures: [MapFeature] { frame.features }

    /// A line about the stops in view.
    var status: String {
        guard hasTimetable else { return "no stops: there is no timetable" }
        let shown = frame.marks.stops
        var parts = ["\(shown, of: "stop") in view"]
        let clusters = frame.marks.clusters
        if !clusters.isEmpty {
            let inside = clusters.reduce(0) { $0 + $1.count }
            parts.append(
                "\(inside) of them in \(clusters.count, of: "cluster")")
        }
        if let loaded = map.loaded, loaded.isCut {
            parts.append("incomplete: the \(loaded.points.count) nearest of \(loaded.total) are loaded")
        }
        if let pending { parts.append("stops load in \(Literal.quantity(pending))") }
        return parts.joined(separator: "; ")
    }

    // MARK: Pictures

    var mapView: MapView { map.view }

    func rendered(in environment: Environment) -> String {
        let style = TerminalStyle(isUnicode: environment.unicode, isColored: environment.color)
        return mapText(
            columns: environment.width, style: style,
            units: ScaleUnits(environment.units))
    }

    func mapText(columns: Int, style: TerminalStyle, units: ScaleUnits) -> String {
        let columns = max(16, min(columns, map.columns))
        var text = mapScene(units).terminal(columns: columns, rows: map.rows, style: style)
        text += "\n" + status
        if let drawer = map.drawer {
            let lines = DrawerText(
                width: columns, isPlain: style.glyphs == .plain, isColored: style.colors != .none
            ).lines(drawer)
            text += "\n" + lines.joined(separator: "\n")
        }
        return text
    }

    /// The map without its legend.
    func terminalLines(columns: Int, rows: Int, style: TerminalStyle, units: ScaleUnits) -> [String] {
        let lines = mapScene(units).terminal(columns: columns, rows: rows, style: style).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.prefix(rows).map(String.init)
    }

    /// The map with its drawer below, in points.
    func mapScene(units: ScaleUnits, on base: any MapBacking) throws -> Scene {
        let size = map.view.size
        let panel = DrawerPanel(status: status, drawer: map.drawer, top: size.height, width: size.width)
        var scene = Scene(
            size: SceneSize(width: size.width, height: size.height + panel.height), background: .white,
            title: summary)
        let area = SceneRect(x: 0, y: 0, width: size.width, height: size.height)
        var drawn = mapScene(units)
        drawn.features = base.features(frame.drawnFeatures(in: map.view))
        drawn.furniture.attribution = base.attribution
        let picture = try drawn.scene(check: { try Interruption.check() }) {
            try base.drawing(of: map.view, $0)
        }
        scene.add(.group(picture.ordered, clip: area), id: "map")
        for element in panel.elements { scene.add(element) }
        return scene
    }

    private func mapScene(_ units: ScaleUnits) -> MapScene {
        MapScene(
            view: map.view, features: frame.features,
            furniture: MapFurniture(attribution: frame.attribution, scale: units))
    }
}
