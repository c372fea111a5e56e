import Foundation
import PluginKit
import TrailStores

/// `waypoint add`
struct AddWaypoint: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint add" }

    var command: Command {
        Command(
            name, "add a waypoint",
            details: """
                An altitude after the coordinate (46.5,7.98,1250m) is used unless --altitude is given. A photo is \
                stored upright, with a thumbnail; without PLACE, its EXIF position is used. The time is --time, or else that of \
                the photo (EXIF; without an offset, by the time of its fix, or in the time zone of the place, or in the \
                session's), or else now.
                """,
            .optional(
                "place", .namedPlace,
                "LAT,LON, @name, or a name or address in quotes; default: the photo's position"),
            .option("label", .text, "short name; default: the name of the place there, if known"),
            .option("category", .text, default: "custom", "what it marks, one of `category list`")
                .completing(.known("category")),
            .option("note", .text, default: "", "longer description"),
            .option("altitude", WaypointOptions.altitude, "height above sea level"),
            .option("hike", .text, "hike it belongs to, by name or id"),
            .option("photo", .inputFile, "JPEG, PNG or HEIC file"),
            .option("time", .date, "creation time; default: when the photo was taken, or now"),
            output: .value("waypoint"), effect: .changes,
            examples: [
                .init(
                    "a hut",
                    "waypoint add 46.5763,7.9904,1973m --label 'Upper Hut' --category shelter | get label",
                    gives: "Upper Hut"),
                .init(
                    "an earlier time", "waypoint add 46.5,7.9 --time 2026-02-05T10:20:00Z | get time",
                    gives: "2026-02-05T10:20:00Z"),
            ],
            searchTerms: [
                "mark a place", "put a pin", "save a location", "bookmark a place", "where i parked",
                "drop a pin", "remember a place", "favourite place",
                "pin", "marker", "place", "save my position", "mark a spot", "bookmark", "new waypoint",
                "point of interest", "remember a spot", "save where i am", "new poi",
            ]
        ) { context, place, label, category, note, altitude, hike, file, time in
            let store = try library.writableStore(context)
            let category = try CategoryFile(context).category(category).raw
            let photo = try file.map { try PhotoFile($0) }
            guard var coordinate = place?.coordinate ?? photo?.coordinate else {
                throw WaypointErrors.nothingToPlace(
                    photo == nil ? "a waypoint requires a coordinate" : "the photo has no EXIF position",
                    fix: "waypoint add LAT,LON")
            }
            try WaypointOptions.checkAltitude(of: coordinate)
            if let altitude { coordinate.altitude = altitude }
            var hikeID: UUID?
            if let hike { hikeID = try await HikeLink.identifier(hike, context: context) }
            var name = label ?? place?.name
            if name == nil { name = try await context.placeName(at: coordinate) }
            let zone = context.environment.timeZone
            let shot = photo?.taken?.reading(near: photo?.coordinate ?? place?.coordinate, session: zone)
            let waypoint = Waypoint(
                id: try store.freshID(context.random.uuid), coordinate: coordinate,
                timestamp: time ?? shot?.moment ?? context.clock.now,
                label: name ?? "", rawCategory: category,
                note: note, hasPhoto: photo != nil,
                hikeID: hikeID, modifiedAt: context.clock.now)
            try context.checkCancelled()
            try store.insert(waypoint, photo: photo?.photo ?? WaypointPhoto(photo: nil, thumbnail: nil))
            store.undo(in: context).added([waypoint])
            return .object(WaypointObject(waypoint, .shown(in: context.workspace)))
        }
    }
}
