import PluginKit
import TrailStores

/// `store refresh`
struct RefreshStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store refresh" }

    var command: Command {
        Command(
            name, "read again what another program writes",
            details: """
                Each command reads a store anew that changed since the last one. This reads it at once, and says as of which \
                commit of its log it is read. A container is searched again for files.
                """,
            StoreOptions.store,
            output: .value("text"), effect: .reads,
            examples: [
                .init("an empty one", "store refresh :memory:", gives: ":memory: is read as it is now")
            ], searchTerms: ["reload", "update", "wal", "live"]
        ) { context, name in
            if let open = registry.openContainer(name, context) {
                guard
                    let fresh = try AppContainer(
                        open.url, name: open.name, check: { try context.checkCancelled() })
                else { throw StoreErrors.folder("\(open.name) holds no store any more") }
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
            else { return .text("\(store.name) is read as it is now") }
            let count = log.commits.count
            return .text("\(store.name) is read as of commit \(count) of its log")
        }
    }
}
