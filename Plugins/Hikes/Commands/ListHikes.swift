import PluginKit
import TrailStores

/// `hike list`
struct ListHikes: CommandProvider {
    let library: ActiveStore<HikeStore>

    var command: Command {
        Command(
            "hike list", "list hikes, newest first",
            output: .rows(HikeObject.columns), effect: .reads,
            examples: [.init("the names", "hike list | get name", after: HikeExample.setup, gives: "Walk")]
        ) { context in
            let store = try library.store(context)
            return .table(
                objects: try store.all().map { HikeObject($0, in: store) }, columns: HikeObject.columns)
        }
    }
}
