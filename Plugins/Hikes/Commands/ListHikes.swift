import PluginKit
import TrailStores

/// `hike list`
struct ListHikes: LegacyCommand {
    let library: ActiveStore<HikeStore>

    let spec = CommandSpec(
        "hike list", "lists the hikes, newest first", output: .rows(HikeObject.columns), effect: .reads,
        examples: [.init("the names", "hike list | get name", after: HikeExample.setup, gives: "Walk")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try library.store(context)
        return .table(objects: try store.all().map { HikeObject($0, in: store) }, columns: HikeObject.columns)
    }
}
