import PluginKit
import TrailStores

/// Parameters shared by several hike commands.
enum HikeOptions {
    /// The hike that a command works on.
    static let hike = Parameter.positional(
        "hike", .reference("hike", to: HikeObject.self), "hike by name or id")
}

/// `hike show`
struct ShowHike: CommandProvider {
    var name: String { "hike show" }

    var command: Command {
        Command(
            name, "show all fields of a hike",
            details: "Statistics: \(HikeStatistics.Settings.description).",
            HikeOptions.hike,
            output: .value("hike"), effect: .reads,
            examples: [
                .init("its length", "hike show Walk | get distance", after: HikeExample.setup, gives: "111m")
            ],
            searchTerms: ["stats", "statistics", "calories", "steps", "heart rate", "how long did it take"]
        ) { _, hike in
            .object(hike)
        }
    }
}
