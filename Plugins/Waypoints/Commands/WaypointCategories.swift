import PluginKit
import TrailStores

/// `waypoint categories`
struct WaypointCategories: LegacyCommand {
    private static let columns = ["category", "name", "color", "icon"]

    let spec = CommandSpec(
        "waypoint categories", "lists the nine categories", output: .rows(columns), effect: .pure,
        examples: [
            .init("a colour", "waypoint categories | where category == shelter | get color", gives: "7F8C8D")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        .table(
            columns: Self.columns,
            cells: WaypointCategory.all.map {
                [.text($0.raw), .text($0.displayName), .text($0.colorHex), .text($0.icon)]
            })
    }
}
