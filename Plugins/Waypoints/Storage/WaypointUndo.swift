import PluginKit
import TrailStores

/// How changes of waypoints are taken back. Each checks first that the waypoint is still as the change left it.
enum WaypointUndo {
    static func recordAdding(_ waypoints: [Waypoint], to store: WaypointStore, in journal: Journal) {
        let what = waypoints.count == 1 ? "waypoint \(waypoints[0].name)" : "\(waypoints.count) waypoints"
        journal.record("added \(what)") {
            for waypoint in waypoints { try requireUnchanged(waypoint, in: store) }
            for waypoint in waypoints { try store.delete(waypoint.id) }
        }
    }

    static func recordEditing(
        _ before: Waypoint, _ photo: WaypointPhoto?, after: Waypoint, in store: WaypointStore,
        _ journal: Journal
    ) {
        journal.record("edited waypoint \(before.name)") {
            try requireUnchanged(after, in: store)
            if let photo { try store.setPhoto(photo, of: before) }
            try store.update(before)
        }
    }

    static func recordDeleting(
        _ deleted: [(waypoint: Waypoint, photo: WaypointPhoto)], from store: WaypointStore,
        in journal: Journal
    ) {
        let what = deleted.count == 1 ? "waypoint \(deleted[0].waypoint.name)" : "\(deleted.count) waypoints"
        journal.record("deleted \(what)") {
            for (waypoint, _) in deleted where try store.waypoint(waypoint.id) != nil {
                throw WaypointErrors.changedSince("waypoint \(waypoint.name) is there again")
            }
            for (waypoint, photo) in deleted { try store.insert(waypoint, photo: photo) }
        }
    }

    private static func requireUnchanged(_ waypoint: Waypoint, in store: WaypointStore) throws {
        guard try store.waypoint(waypoint.id) == waypoint else {
            throw WaypointErrors.changedSince("waypoint \(waypoint.name) was changed by another session")
        }
    }
}
