import Foundation
import PluginKit
import TrailStores

/// `waypoint add`
struct AddWaypoint: Command {
    let library: ActiveStore<WaypointStore>

    private static let place = Parameter.optional(
        "place", ParameterType<PlaceArgument>.namedPlace,
        "where: LAT,LON, @name, or a name or address in quotes; without it the photo's own position")
    private static let label = Parameter.option(
        "label", ParameterType<String>.text, "short name; else that of the place where it was given by one")
    private static let category = Parameter.option(
        "category", WaypointOptions.categories, default: "custom", "what it marks")
    private static let note = Parameter.option("note", .text, default: "", "longer description")
    private static let altitude = Parameter.option(
        "altitude", WaypointOptions.altitude, "height above the sea")
    private static let hike = Parameter.option("hike", .text, "the hike it belongs to, by name or id")
    private static let photo = Parameter.option("photo", .inputFile, "a JPEG or PNG file")

    let spec = CommandSpec(
        "waypoint add", "adds a waypoint",
        details: """
            An altitude written behind the place (46.5,7.98,1250m) counts unless --altitude is given. A photo is \
            stored upright, with a thumbnail, and its EXIF position places the waypoint when no place is given.
            """,
        parameters: [
            place.spec, label.spec, category.spec, note.spec, altitude.spec, hike.spec, photo.spec,
        ], output: .value("waypoint"), effect: .changes,
        examples: [
            .init(
                "a hut",
                "waypoint add 46.5763,7.9904,1973m --label 'Upper Hut' --category shelter | get label",
                gives: "Upper Hut")
        ], searchTerms: ["pin", "marker", "place"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try library.writableStore(context)
        let photo = try arguments[Self.photo].map { try PhotoFile($0) }
        let named = try arguments[Self.place]
        guard var place = named?.coordinate ?? photo?.coordinate else {
            throw WaypointErrors.nothingToPlace(
                photo == nil ? "a waypoint needs a place" : "the photo does not tell where it was taken",
                fix: "waypoint add LAT,LON")
        }
        try WaypointOptions.checkAltitude(of: place)
        if let altitude = try arguments[Self.altitude] { place.altitude = altitude }
        var hike: UUID?
        if let text = try arguments[Self.hike] {
            hike = try await HikeLink.identifier(text, parameter: "hike", context: context)
        }
        let waypoint = Waypoint(
            id: try store.freshID(context.random.uuid), coordinate: place, timestamp: context.clock.now,
            label: try arguments[Self.label] ?? named?.name ?? "", rawCategory: try arguments[Self.category],
            note: try arguments[Self.note], hasPhoto: photo != nil, hikeID: hike,
            modifiedAt: context.clock.now)
        try context.checkCancelled()
        try store.insert(waypoint, photo: photo?.photo ?? WaypointPhoto(photo: nil, thumbnail: nil))
        WaypointUndo.recordAdding([waypoint], to: store, in: context.journal)
        return .object(WaypointObject(waypoint))
    }
}
