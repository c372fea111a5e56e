import PluginKit
import TrailStores

/// `store refresh`
struct RefreshStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store refresh" }

    var command: Command {
        Command(
            name, "reread changes by another program",
            details: """
                Each command rereads a store that has changed. This command rereads it at once, and reports the \
                commit of its log up to which it is read. A container is searched again for files.
                """,
            StoreOptions.store,
            output: .value("text"), effect: .reads,
            examples: [
                .init("an empty one", "store refresh :memory:", gives: ":memory: is up to date")
            ], searchTerms: ["reload", "update", "wal", "live"]
        ) { context, name in
            if let open = registry.openContainer(name, context) {
                guard
                    let fresh = try AppContainer(
                        open.url, name: open.name, check: { try context.checkCancelled() })
                else { throw StoreErrors.folder("\(open.name) no longer contains a store") }
                registry.put(fresh)
                for entry in context.stores.entries where entry.container == open.name {
                    registry.remove(entry)
                }
                return .text(ContainerObject(container: fresh).summary)
            }
            if let entry = context.stores.entries.first(where: { $0.name == name })
                ?? (name == nil ? context.stores.current : nil)
            {
                registry.forget(entry)
            }
            let store = try registry.chosen(name, context)
            guard store.connection.readsCopy || store.connection.readsCopyOfLog,
                let log = try StoreImage(store.connection.url, check: { try context.checkCancelled() })?.log
            else { return .text("\(store.name) is up to date") }
            let count = log.commits.count
            return .text("\(store.name) is read as of commit \(count) of its log")
        }
    }
}
