import PluginKit
import TrailStores

/// `hike list`
struct ListHikes: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike list" }

    var command: Command {
        Command(
            name, "list hikes, newest first",
            details: "Rows that cannot be read come last, with the reason in the column `problem`.",
            output: .rows(HikeObject.columns), effect: .reads,
            examples: [.init("the names", "hike list | get name", after: HikeExample.setup, gives: "Walk")],
            searchTerms: [
                "steepest hike", "steepest walk", "longest hike", "longest walk", "highest hike",
                "all my hikes", "all recordings",
                "how far", "recordings", "activities", "my walks", "tracks", "shortest hike",
                "hikes of a year", "hikes in", "my hikes", "where are my runs", "recent hikes", "all my runs",
                "walks of last week", "my activities", "which hikes are stored", "most climb",
                "short recordings",
            ]
        ) { context in
            let store = try library.store(context)
            let (hikes, problems) = try store.readable()
            return UnreadableRows(problems).table(
                hikes.map { HikeObject($0, in: store) }, columns: HikeObject.columns)
        }
    }
}
