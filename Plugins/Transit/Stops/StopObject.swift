import Geodesy
import Pictures
import PluginKit

/// A stop as a value of the workbench.
struct StopObject: FieldedObject, MapDrawable {
    /// The kind of its references.
    static let kind = "stop"
    /// The columns of searches.
    static let searchColumns = ["id", "name", "kind", "mode", "platform", "lines"]
    /// The columns of near-search.
    static let nearColumns = ["distance", "id", "name", "kind", "mode", "at"]

    let stop: StopRecord
    /// Distance from the centre of the search, metres.
    var distance: Double?
    /// The lines that serve it, in the order of names; `nil` if they were not read.
    var lines: [Feed.Route]?

    init(_ stop: StopRecord, distance: Double? = nil, lines: [Feed.Route]? = nil) {
        self.stop = stop
        self.distance = distance
        self.lines = lines
    }

    var typeName: String { Self.kind }

    static let fields = FieldTable<Self> {
        Field("distance", where: { $0.distance != nil }) { Value($0.distance) { .quantity(.metres($0)) } }
        Field(column: "id") { .text($0.stop.id) }
        Field(column: "name") { .text($0.stop.name) }
        Field(column: "kind") { .text($0.stop.kind.word) }
        Field(column: "mode") { .text($0.stop.mode.rawValue) }
        Field(column: "platform") { Value($0.stop.platform, Value.text) }
        Field("station") { Value($0.stop.parent, Value.text) }
        Field(column: "at") { Value($0.stop.coordinate, Value.coordinate) }
        Field("code") { Value($0.stop.code, Value.text) }
        Field("description") { Value($0.stop.description, Value.text) }
        Field("wheelchair") { Value(Wheelchair.word($0.stop.wheelchair), Value.text) }
        Field("icon") { .text($0.stop.mode.icon) }
        Field("label") { .text($0.stop.label) }
        Field("lines") { Value($0.lines) { .text($0.map(\.name).joined(separator: ", ")) } }
        Field("viewOnMap") { .text(Self.viewOnMap($0.stop)) }
    }

    var summary: String { stop.title }

    var mapFeatures: [MapFeature] {
        guard let place = stop.coordinate else { return [] }
        return [
            .waypoint(
                MapWaypoint(
                    name: "stop-\(stop.id)", coordinate: place, label: stop.label,
                    colorHex: color, icon: stop.mode.icon))
        ]
    }

    /// The colour of the lines that serve it if they share one, else that of the mode.
    private var color: String {
        let colors = Set((lines ?? []).map { $0.color ?? "" })
        guard colors.count == 1, let only = colors.first, Color(hex: only) != nil else {
            return stop.mode.colorHex
        }
        // White pins would be invisible on the background.
        return only.uppercased() == "FFFFFF" ? stop.mode.colorHex : only
    }

    /// The command that opens the map at a stop.
    static func viewOnMap(_ stop: StopRecord) -> String { "stop show \(Literal.quoted(stop.id))" }
}
