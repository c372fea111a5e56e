import PluginKit

/// `waypoint show`
struct ShowWaypoint: LegacyCommand {
    let spec = CommandSpec(
        "waypoint show", "shows all that is known of a waypoint", parameters: [WaypointOptions.waypoint.spec],
        output: .value("waypoint"), effect: .reads,
        examples: [
            .init(
                "by its label", "waypoint show Hut | get category",
                after: ["waypoint add 46.5,7.9 --label Hut --category shelter"], gives: "shelter")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        .object(try arguments[WaypointOptions.waypoint])
    }
}
