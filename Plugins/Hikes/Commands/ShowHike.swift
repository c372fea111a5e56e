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
            details: """
                Statistics: \(HikeStatistics.Settings.description). With --original the hike is the recording before its \
                first edit, which can be drawn, measured and exported: `hike show Walk --original | export walk.gpx`.
                """,
            HikeOptions.hike,
            .flag("original", "as recorded, before its first edit"),
            output: .value("hike"), effect: .reads,
            examples: [
                .init("its length", "hike show Walk | get distance", after: HikeExample.setup, gives: "111m"),
                .init(
                    "before it was cropped", "hike show Walk --original | get distance",
                    after: HikeExample.setup + ["hike crop Walk --skip 50m"], gives: "111m"),
            ],
            searchTerms: [
                "details of a hike", "how fast was i", "one hike",
                "moving time", "summary of a hike", "average speed",
                "stats", "statistics", "calories", "steps", "heart rate", "how long did it take", "raw",
                "untouched", "original recording", "breaks", "when did i rest", "details of a workout",
                "temperature", "cadence", "power", "how long was my walk", "when did i start",
            ]
        ) { _, hike, isOriginal in
            guard isOriginal else { return .object(hike) }
            let recording = try hike.original()
            guard let statistics = HikeStatistics(segments: recording.segments) else { return .object(hike) }
            return .object(HikeObject(hike.hike.measured(statistics), recording: recording))
        }
    }
}
