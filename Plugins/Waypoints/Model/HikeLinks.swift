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
        let free = try store.waypointsWithoutHike()
        let rule = WaypointLinks(hike: hike, from: start, through: end, within: box)
        let during = free.filter { rule.isTimely($0) && rule.isNear($0) }
        context.tracing?.keep(
            "waypoints without a hike",
            from: .start(
                [("from", .date(start)), ("to", .date(end)), ("box", .box(box))],
                why: "a waypoint created during the hike and near its track belongs to it"),
            candidates: free.lazy.map { waypoint in
                let (isTimely, isNear) = (rule.isTimely(waypoint), rule.isNear(waypoint))
                return .candidate(
                    [
                        ("label", .text(waypoint.name)), ("time", Value(waypoint.time) { .date($0) }),
                        ("at", .coordinate(waypoint.coordinate.withoutAltitude)),
                    ], isTimely && isNear ? .kept : .refused,
                    why: isTimely
                        ? isNear ? "created during the hike, near its track" : "too far from the track"
                        : "not created during the hike")
            },
            to: .end([("linked", .integer(during.count))], why: "all waypoints without a hike are checked"))
        if during.isEmpty { return LinkedWaypoints(count: 0) {} }
        let linked = try rule.link(in: store, at: now)
        return LinkedWaypoints(count: linked.count) {
            // Waypoints changed in the meantime keep the change and the link.
            _ = try store.updateAll(linked.map { ($0.after, $0.before) })
        }
    }
}
