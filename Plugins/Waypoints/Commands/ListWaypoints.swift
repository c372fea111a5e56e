import Foundation
import PluginKit
import TrailStores

/// `waypoint list`
struct ListWaypoints: LegacyCommand {
    let library: ActiveStore<WaypointStore>

    private static let hike = Parameter.option("hike", .text, "only those of a hike, oldest first")
    private static let category = Parameter.option(
        "category", WaypointOptions.categories, "only those of a category")

    let spec = CommandSpec(
        "waypoint list", "lists the waypoints, newest first", parameters: [hike.spec, category.spec],
        output: .rows(WaypointObject.columns), effect: .reads,
        examples: [
            .init(
                "the labels", "waypoint list | get label",
                after: [
                    "waypoint add 46.5,7.9 --label Hut", "waypoint add 46.6,7.9 --label Spring | get label",
                ],
                gives: "Hut\nSpring")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try library.store(context)
        var waypoints: [Waypoint]
        if let hike = try arguments[Self.hike] {
            let id = try await HikeLink.identifier(hike, context: context)
            waypoints = try store.waypoints(ofHike: id)
        } else {
            waypoints = try store.all()
        }
        if let category = try arguments[Self.category] { waypoints.removeAll { $0.category.raw != category } }
        let objects = try waypoints.map { waypoint in
            try context.checkCancelled()
            return WaypointObject(waypoint)
        }
        return .table(objects: objects, columns: WaypointObject.columns)
    }
}
