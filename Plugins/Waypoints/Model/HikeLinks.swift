import CivilTime
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Links waypoints to the hike during which they were made.
struct HikeLinks: WaypointLinking {
    let library: ActiveStore<WaypointStore>

    func link(
        toHike hike: UUID, from start: Timestamp, through end: Timestamp, within box: BoundingBox,
        context: Context
    ) async throws -> LinkedWaypoints {
        guard let store = try library.storeIfFits(context), store.connection.access != .foreign else {
            return LinkedWaypoints(count: 0) {}
        }
        let now = context.clock.now
        let during = try store.waypointsWithoutHike().filter {
            $0.timestamp >= start && $0.timestamp <= end && box.contains($0.coordinate)
        }
        if during.isEmpty { return LinkedWaypoints(count: 0) {} }
        let linked = try store.updateAll(
            during.map { before in
                var after = before
                after.hikeID = hike
                after.modifiedAt = now
                return (before, after)
            })
        return LinkedWaypoints(count: linked.count) {
            // Waypoints changed since keep the change, and the link with it.
            _ = try store.updateAll(linked.map { ($0.after, $0.before) })
        }
    }
}
