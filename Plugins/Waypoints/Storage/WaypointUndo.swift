import PluginKit
import TrailStores

/// Undoes changes of waypoints. Each undo first checks that the waypoint is unchanged since.
enum WaypointUndo {
    static func recordAdding(_ waypoints: [Waypoint], to store: WaypointStore, in journal: Journal) {
        journal.record("added \(words(waypoints))") {
            if case .changed(let waypoint) = try store.remove(waypoints, onlyUnchanged: true) {
                throw changed(waypoint)
            }
        }
    }

    static func recordEditing(
        _ before: Waypoint, _ photo: WaypointPhoto?, after: Waypoint, in store: WaypointStore,
        _ journal: Journal
    ) {
        journal.record("edited waypoint \(before.name)") {
            guard try store.update(after, to: before, photo: photo) else { throw changed(before) }
        }
    }

    static func recordDeleting(
        _ waypoints: [Waypoint], _ rows: [StoredRow], from store: WaypointStore, in journal: Journal
    ) {
        journal.record("deleted \(words(waypoints))") {
            guard try store.restore(rows) else {
                throw WaypointErrors.changedSince("\(words(waypoints)): already restored by another session")
            }
        }
    }

    private static func words(_ waypoints: [Waypoint]) -> String {
        waypoints.count == 1 ? "waypoint \(waypoints[0].name)" : "\(waypoints.count) waypoints"
    }

    private static func changed(_ waypoint: Waypoint) -> RutterError {
        WaypointErrors.changedSince("waypoint \(waypoint.name) was changed by another session")
    }
}
