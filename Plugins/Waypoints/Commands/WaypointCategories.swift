import PluginKit
import TrailStores

/// `waypoint categories`
struct WaypointCategories: CommandProvider {
    private static let columns = ["category", "name", "color", "icon"]

    var name: String { "waypoint categories" }

    var command: Command {
        Command(
            name, "list the nine categories",
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init(
                    "a colour", "waypoint categories | where category == shelter | get color", gives: "7F8C8D"
                )
            ], searchTerms: ["kinds of waypoints", "types"]
        ) { _ in
            .table(
                columns: Self.columns,
                cells: WaypointCategory.all.map {
                    [.text($0.raw), .text($0.displayName), .text($0.colorHex), .text($0.icon)]
                })
        }
    }
}
