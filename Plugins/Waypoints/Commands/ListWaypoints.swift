import Foundation
import PluginKit
import TrailStores

/// `waypoint list`
struct ListWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint list" }

    var command: Command {
        Command(
            name, "list waypoints, newest first",
            details: "Rows that cannot be read come last, with the reason in the column `problem`.",
            .option("hike", .text, "only waypoints of this hike, oldest first"),
            Parameter<String?>.option("category", .text, "only waypoints of this category")
                .completing(.known("category")),
            output: .rows(WaypointObject.columns), effect: .reads,
            examples: [
                .init(
                    "the labels", "waypoint list | get label",
                    after: [
                        "waypoint add 46.5,7.9 --label Hut",
                        "waypoint add 46.6,7.9 --label Spring | get label",
                    ],
                    gives: "Hut\nSpring")
            ],
            searchTerms: [
                "which waypoints",
                "my places", "all pins", "favourites",
                "my waypoints", "points", "pois", "highest waypoint", "how high", "mountains", "peaks",
                "saved places", "what did i save", "show pins", "my favourites", "all markers",
            ]
        ) { context, hike, category in
            let store = try library.store(context)
            var (waypoints, problems) = try store.readable()
            if let hike {
                let id = try await HikeLink.identifier(hike, context: context)
                waypoints = waypoints.filter { $0.hikeID == id }.reversed()
            }
            let categories = CategoryList.shown(in: context.workspace)
            if let category {
                // A category of another program, which no list has, is known by its waypoints.
                let raw =
                    waypoints.contains { $0.rawCategory == category }
                    ? category : try CategoryFile(context).category(category).raw
                waypoints.removeAll { categories.reading($0.rawCategory).raw != raw }
            }
            let objects = try waypoints.map { waypoint in
                try context.checkCancelled()
                return WaypointObject(waypoint, categories)
            }
            return UnreadableRows(problems).table(objects, columns: WaypointObject.columns)
        }
    }
}
