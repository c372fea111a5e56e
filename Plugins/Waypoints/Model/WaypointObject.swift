import Geodesy
import Pictures
import PluginKit
import TrailStores

/// A waypoint as a value of the workbench.
struct WaypointObject: FieldedObject, WaypointRepresentable, MapDrawable {
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

    static let fields = FieldTable<Self> {
        Field("distance", where: { $0.distance != nil }) { Value($0.distance) { .quantity(.metres($0)) } }
        Field(column: "id") { .text($0.waypoint.shortID) }
        Field(column: "label") { .text($0.waypoint.label) }
        Field(column: "category") { .text($0.category.raw) }
        Field(column: "at") { .coordinate($0.waypoint.coordinate.withoutAltitude) }
        Field(column: "altitude") { Value($0.waypoint.coordinate.altitude) { .quantity(.altitude($0)) } }
        Field(column: "time") { Value($0.waypoint.time) { .date($0) } }
        Field("note") { .text($0.waypoint.note) }
        Field("photo") { .boolean($0.waypoint.hasPhoto) }
        Field("hike") { Value($0.waypoint.hikeID) { .text($0.uuidString) } }
        Field("modified") { Value($0.waypoint.modifiedAt) { .date($0) } }
        Field("uuid") { .text($0.waypoint.id.uuidString) }
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
