import PluginKit
import TrailStores

/// Parameters that several hike commands share.
enum HikeOptions {
    /// The hike that a command is about.
    static let hike = Parameter.positional(
        "hike", .reference("hike", to: HikeObject.self), "a hike by name or id")
}

/// `hike show`
struct ShowHike: CommandProvider {
    var command: Command {
        Command(
            "hike show", "shows all that is known of a hike",
            details: HikeStatistics.Settings.description,
            HikeOptions.hike,
            output: .value("hike"), effect: .reads,
            examples: [
                .init("its length", "hike show Walk | get distance", after: HikeExample.setup, gives: "111m")
            ], searchTerms: ["stats", "statistics"]
        ) { _, hike in
            .object(hike)
        }
    }
}
