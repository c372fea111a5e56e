import PluginKit

/// `waypoint show`
struct ShowWaypoint: CommandProvider {
    var name: String { "waypoint show" }

    var command: Command {
        Command(
            name, "show all fields of a waypoint",
            WaypointOptions.waypoint,
            output: .value("waypoint"), effect: .reads,
            examples: [
                .init(
                    "by its label", "waypoint show Hut | get category",
                    after: ["waypoint add 46.5,7.9 --label Hut --category shelter"], gives: "shelter")
            ], searchTerms: ["details of a waypoint", "what do i know about a place"]
        ) { _, waypoint in
            .object(waypoint)
        }
    }
}
