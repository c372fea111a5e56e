import PluginKit
import TrailStores

/// `waypoint delete`
struct DeleteWaypoint: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint delete" }

    var command: Command {
        Command(
            name, "delete waypoints",
            details: "`undo` restores them, with their photos.",
            .rest(
                "waypoints", .reference("waypoint", to: WaypointObject.self), minimum: 1,
                "waypoints by label or id"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "one", "waypoint delete Hut", after: ["waypoint add 46.5,7.9 --label Hut"],
                    gives: "deleted 1 waypoint; `undo` restores it")
            ], searchTerms: ["remove a pin", "remove", "forget a place", "remove a marker"]
        ) { context, waypoints in
            let store = try library.writableStore(context)
            var seen: Set<String> = []
            let waypoints = waypoints.map(\.waypoint).filter {
                seen.insert($0.id.uuidString).inserted
            }
            switch try store.remove(waypoints) {
            case .changed(let waypoint):
                throw WaypointErrors.changedSince(
                    "waypoint \(waypoint.name) was deleted in the meantime", at: .parameter("waypoints"))
            case .removed(let rows):
                store.undo(in: context).deleted(waypoints, rows)
            }
            let count = waypoints.count
            return .text(
                "deleted \(count, of: "waypoint"); `undo` restores \(count == 1 ? "it" : "them")"
            )
        }
    }
}
