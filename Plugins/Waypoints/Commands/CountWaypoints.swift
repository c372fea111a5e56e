import PluginKit
import TrailStores

/// `waypoint count`
struct CountWaypoints: LegacyCommand {
    let library: ActiveStore<WaypointStore>

    private static let byCategory = Parameter.flag("by-category", "one row a category")

    let spec = CommandSpec(
        "waypoint count", "counts the waypoints", parameters: [byCategory.spec],
        output: .value("number, or rows"),
        effect: .reads,
        examples: [.init("all", "waypoint count", after: ["waypoint add 46.5,7.9 --label Hut"], gives: "1")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let counts = try library.store(context).counts()
        guard try arguments[Self.byCategory] else { return .integer(counts.reduce(0) { $0 + $1.count }) }
        return .table(
            columns: ["category", "count"],
            cells: counts.map { [.text($0.category), .integer($0.count)] })
    }
}
