import Geodesy
import Pictures
import PluginKit
import TrailStores

/// A waypoint as a value of the workbench.
struct WaypointObject: WaypointRepresentable, MapDrawable {
    /// The columns of lists.
    static let columns = ["id", "label", "category", "at", "altitude", "time"]
    /// The columns of near-search.
    static let nearColumns = ["distance", "id", "label", "category", "at"]

    let waypoint: Waypoint
    /// Its category, with the looks that the workspace gives it.
    private let category: WaypointCategory
    /// Metres from the centre of the search.
    var distance: Double?

    init(_ waypoint: Waypoint, _ categories: CategoryList, distance: Double? = nil) {
        self.waypoint = waypoint
        category = categories.reading(waypoint.rawCategory)
        self.distance = distance
    }

    var typeName: String { "waypoint" }

    static let declaredFieldNames: [String]? = storedFields
    private static let storedFields = [
        "id", "label", "category", "at", "altitude", "time", "note", "photo", "hike", "modified", "uuid",
    ]

    var fieldNames: [String] {
        (distance == nil ? [] : ["distance"]) + Self.storedFields
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "distance": distance.map { .quantity(.metres($0)) }
        case "id": .text(waypoint.shortID)
        case "uuid": .text(waypoint.id.uuidString)
        case "label": .text(waypoint.label)
        case "category": .text(category.raw)
        case "at": .coordinate(waypoint.coordinate.withoutAltitude)
        case "altitude": Value(waypoint.coordinate.altitude) { .quantity(.altitude($0)) }
        case "time": Value(waypoint.time) { .date($0) }
        case "note": .text(waypoint.note)
        case "photo": .boolean(waypoint.hasPhoto)
        case "hike": Value(waypoint.hikeID) { .text($0.uuidString) }
        case "modified": Value(waypoint.modifiedAt) { .date($0) }
        default: nil
        }
    }

    var summary: String { waypoint.name }

    var mapFeatures: [MapFeature] {
        [
            .waypoint(
                MapWaypoint(
                    id: waypoint.id, coordinate: waypoint.coordinate.withoutAltitude, label: waypoint.label,
                    colorHex: category.colorHex, icon: category.icon))
        ]
    }
}

/// All waypoints of the store in use, for the session's map.
struct WaypointMapContent: MapContent {
    let library: ActiveStore<WaypointStore>

    func mapObjects(context: Context) async throws -> [any DomainObject] {
        guard let store = try library.storeIfFits(context) else { return [] }
        let categories = CategoryList.shown(in: context.workspace)
        return try store.all().map { waypoint in
            try context.checkCancelled()
            return WaypointObject(waypoint, categories)
        }
    }
}
