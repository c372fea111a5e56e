import Foundation
import PluginKit
import TrailStores

/// `waypoint edit`
struct EditWaypoint: CommandProvider {
    let library: ActiveStore<WaypointStore>

    /// The photo to store, an empty one to remove it, `nil` to keep the current one.
    private static let photo = Parameter<WaypointPhoto?>.group(
        .option("photo", .inputFile, "new photo"), .flag("no-photo", "remove the photo")
    ) { file, isRemoved in
        guard let file else { return isRemoved ? WaypointPhoto(photo: nil, thumbnail: nil) : nil }
        if isRemoved {
            throw WaypointErrors.photo(
                "--photo and --no-photo cannot be combined", at: .parameter("no-photo"),
                fix: "use only one of them")
        }
        return try PhotoFile(file).photo
    }

    var name: String { "waypoint edit" }

    var command: Command {
        Command(
            name, "change a waypoint",
            details: "A category of another program is kept as it is stored until --category is given.",
            WaypointOptions.waypoint,
            .option("label", .text, "new label"),
            Parameter<String?>.option("category", .text, "new category").completing(.known("category")),
            .option("note", .text, "new note"),
            .option("place", .coordinate, "new coordinate"),
            .option("altitude", WaypointOptions.altitude, "new altitude"),
            Self.photo,
            output: .value("waypoint"), effect: .changes,
            examples: [
                .init(
                    "a better name", "waypoint edit Hut --label 'Old Hut' | get label",
                    after: ["waypoint add 46.5,7.9 --label Hut"], gives: "Old Hut")
            ],
            searchTerms: [
                "give a category", "assign a category", "set the category",
                "move a pin", "rename a place", "change the label", "correct a position", "rename a waypoint",
                "change a waypoint", "move a waypoint", "correct", "correct the position", "other name",
                "note of a pin", "move a marker", "change the description",
            ]
        ) { context, waypoint, label, category, note, place, altitude, photo in
            let store = try library.writableStore(context)
            let before = waypoint.waypoint
            var after = before
            if let label { after.label = label }
            if let category { after.rawCategory = try CategoryFile(context).category(category).raw }
            if let note { after.note = note }
            if let place {
                try WaypointOptions.checkAltitude(of: place)
                after.coordinate = place
                after.coordinate.altitude = place.altitude ?? before.coordinate.altitude
            }
            if let altitude { after.coordinate.altitude = altitude }
            if let photo { after.hasPhoto = photo.photo != nil }
            guard !after.isStored(as: before) || photo != nil else {
                throw WaypointErrors.nothingToChange(
                    "no option differs from the stored value", fix: "waypoint edit WAYPOINT --label TEXT")
            }
            after.modifiedAt = context.clock.now
            let oldPhoto = photo == nil ? nil : try store.photo(of: before.id)
            guard try store.update(before, to: after, photo: photo) else {
                throw WaypointErrors.changedSince(
                    "waypoint \(before.name) was changed or deleted in the meantime",
                    at: .parameter("waypoint"))
            }
            store.undo(in: context).edited(before) { [after] in
                try store.update(after, to: before, photo: oldPhoto)
            }
            return .object(WaypointObject(after, .shown(in: context.workspace)))
        }
    }
}
