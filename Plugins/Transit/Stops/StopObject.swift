import Geodesy
import Pictures
import PluginKit

/// A stop as a value of the workbench.
struct StopObject: DomainObject, MapDrawable {
    /// The kind of its references.
    static let kind = "stop"
    /// The columns of regions.
    static let columns = ["id", "name", "kind", "mode", "platform", "at"]
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

    private static let fields = [
        "id", "name", "kind", "mode", "platform", "station", "at", "code", "description", "wheelchair",
        "icon",
        "label", "lines", "viewOnMap",
    ]
    static let declaredFieldNames: [String]? = ["distance"] + fields
    var fieldNames: [String] { (distance == nil ? [] : ["distance"]) + Self.fields }

    func field(_ name: String) -> Value? {
        switch name {
        case "distance": distance.map { .quantity(.metres($0)) }
        case "id": .text(stop.id)
        case "name": .text(stop.name)
        case "kind": .text(stop.kind.word)
        case "mode": .text(stop.mode.rawValue)
        case "platform": Value(stop.platform, Value.text)
        case "station": Value(stop.parent, Value.text)
        case "at": .coordinate(stop.coordinate)
        case "code": Value(stop.code, Value.text)
        case "description": Value(stop.description, Value.text)
        case "wheelchair": Value(Wheelchair.word(stop.wheelchair), Value.text)
        case "icon": .text(stop.mode.icon)
        case "label": .text(stop.label)
        case "lines": Value(lines) { .text($0.map(\.name).joined(separator: ", ")) }
        case "viewOnMap": .text(Self.viewOnMap(stop))
        default: nil
        }
    }

    var summary: String { stop.title }

    var mapFeatures: [MapFeature] {
        [
            .waypoint(
                MapWaypoint(
                    name: "stop-\(stop.id)", coordinate: stop.coordinate, label: stop.label,
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
