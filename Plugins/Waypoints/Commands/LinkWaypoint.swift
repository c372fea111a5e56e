import Foundation
import PluginKit
import TrailStores

/// `waypoint link`
struct LinkWaypoint: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint link" }

    var command: Command {
        Command(
            name, "link a waypoint to a hike, or remove the link",
            WaypointOptions.waypoint,
            .optional("hike", .text, "hike by name or id; default: remove the link"),
            output: .value("waypoint"), effect: .changes,
            examples: [
                .init(
                    "to a hike of another store",
                    "waypoint link Hut 6F9619FF-8B86-D011-B42D-00C04FC964FF | get hike",
                    after: ["waypoint add 46.5,7.9 --label Hut"],
                    gives: "6F9619FF-8B86-D011-B42D-00C04FC964FF")
            ], searchTerms: ["attach to a hike", "which hike does a pin belong to"]
        ) { context, waypoint, hike in
            let store = try library.writableStore(context)
            let before = waypoint.waypoint
            var after = before
            after.hikeID = nil
            if let hike { after.hikeID = try await HikeLink.identifier(hike, context: context) }
            guard after != before else {
                throw WaypointErrors.nothingToChange(
                    "waypoint \(before.name) already has this link", at: .parameter("hike"))
            }
            after.modifiedAt = context.clock.now
            guard try store.update(before, to: after) else {
                throw WaypointErrors.changedSince(
                    "waypoint \(before.name) was changed or deleted in the meantime",
                    at: .parameter("waypoint"))
            }
            store.undo(in: context).edited(before) { [after] in try store.update(after, to: before) }
            return .object(WaypointObject(after, .shown(in: context.workspace)))
        }
    }
}
