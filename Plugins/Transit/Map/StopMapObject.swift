import CivilTime
import Geodesy
import Pictures
import PluginKit

/// The app's screen as a value: displayed as map and drawer, with fields.
struct StopMapObject: SelfRendering, MapDrawable {
    let map: StopMap
    /// The session's time, for the field `pending`.
    let now: Timestamp
    private let marks: MapMarks

    init(_ map: StopMap, now: Timestamp) {
        self.map = map
        self.now = now
        marks = map.marks
    }

    let typeName = "stopMap"
    let fieldNames = [
        "center", "zoom", "region", "shown", "loaded", "total", "pending", "pins", "clusters", "labels",
        "selected",
        "drawer", "events",
    ]

    func field(_ name: String) -> Value? {
        switch name {
        case "center": .coordinate(map.center)
        case "zoom": .number(map.zoom)
        case "region": .box(map.region)
        case "shown": .integer(map.inView.count)
        case "loaded": .integer(map.loaded.count)
        case "total": .integer(map.total)
        case "pending": pending.map { .quantity($0) } ?? .nothing
        case "pins":
            .rows(
                Rows(objects: marks.pins.map { StopObject($0) }, columns: StopObject.columns, cut: cut))
        case "clusters":
            .rows(
                Rows(objects: marks.clusters, columns: ["count", "name", "at", "radius"], cut: cut))
        case "labels": .list(marks.clusters.map { .text($0.summary) } + marks.pins.map { .text($0.label) })
        case "selected": Value(map.drawer) { .object(StopObject($0.stop)) }
        case "drawer": Value(map.drawer) { .object(DrawerObject(drawer: $0)) }
        case "events": .table(columns: MapEvent.columns, rows: map.events.map(\.row))
        default: nil
        }
    }

    /// Marks a map as incomplete when its region has more stops than were loaded.
    private var cut: Cut? { Cut(stops: map.loaded.count, of: map.total) }

    /// The time until stops are loaded.
    private var pending: Quantity? {
        map.dueAt.map { Quantity(max(0, $0.seconds(since: now)), .duration) }
    }

    var summary: String { "map at \(Literal.coordinate(map.center)), \(status)" }

    var mapFeatures: [MapFeature] { marks.features }

    private var status: String {
        let shown = map.inView.count
        var parts = ["\(shown) \(shown == 1 ? "stop" : "stops") in view"]
        let clusters = marks.clusters.count
        if clusters > 0 {
            let inside = marks.clusters.reduce(0) { $0 + $1.members.count }
            parts.append("\(inside) of them in \(clusters) \(clusters == 1 ? "cluster" : "clusters")")
        }
        if map.total > map.loaded.count {
            parts.append("loaded the \(map.loaded.count) nearest of \(map.total)")
        }
        if let pending { parts.append("stops load in \(Literal.quantity(pending))") }
        return parts.joined(separator: "; ")
    }

    func rendered(in environment: Environment) -> String {
        let columns = max(16, min(environment.width, TransitSettings.mapColumns))
        let style = TerminalStyle(
            glyphs: environment.unicode ? .braille : .plain, colors: environment.color ? .ansi256 : .none)
        let scene = MapScene(
            view: map.view, features: marks.features,
            furniture: MapFurniture(scale: environment.units == .imperial ? .imperial : .metric))
        var text = scene.terminal(columns: columns, rows: TransitSettings.mapRows, style: style)
        text += "\n" + status
        if let drawer = map.drawer {
            text +=
                "\n"
                + DrawerText(width: columns, isPlain: !environment.unicode).lines(drawer)
                .joined(separator: "\n")
        }
        return text
    }
}
