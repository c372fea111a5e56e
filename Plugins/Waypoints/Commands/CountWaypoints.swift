import PluginKit
import TrailStores

/// `waypoint count`
struct CountWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint count" }

    var command: Command {
        Command(
            name, "count waypoints",
            .flag("by-category", "one row for each category"),
            output: .value("number, or rows"), effect: .reads,
            examples: [
                .init("all", "waypoint count", after: ["waypoint add 46.5,7.9 --label Hut"], gives: "1")
            ], searchTerms: ["how many waypoints", "number of places"]
        ) { context, byCategory in
            let counts = try library.store(context).counts()
            guard byCategory else { return .integer(counts.reduce(0) { $0 + $1.count }) }
            return .table(
                columns: ["category", "count"],
                cells: counts.map { [.text($0.category), .integer($0.count)] })
        }
    }
}
