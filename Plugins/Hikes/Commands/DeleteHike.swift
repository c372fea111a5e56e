import PluginKit
import TrailStores

/// `hike delete`
struct DeleteHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike delete" }

    var command: Command {
        Command(
            name, "delete a hike with its track",
            details: "Waypoints linked to it stay and keep the link. `undo` restores the hike.",
            HikeOptions.hike,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "one", "hike delete Walk", after: HikeExample.setup,
                    gives: "deleted hike Walk; `undo` restores it")
            ],
            searchTerms: [
                "throw away a recording", "remove a walk", "recorded twice", "get rid of a hike",
                "remove old hikes", "remove", "get rid of a recording", "clean up recordings",
            ]
        ) { context, hike in
            let hike = hike.hike
            let store = try library.writableStore(context)
            guard case .removed(let rows) = try store.remove([hike]) else {
                throw HikeErrors.changedSince(
                    "hike \(hike.displayName) was deleted in the meantime", at: .parameter("hike"))
            }
            store.undo(in: context).deleted([hike], rows)
            return .text("deleted hike \(hike.displayName); `undo` restores it")
        }
    }
}
