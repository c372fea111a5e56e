import Foundation
import PluginKit
import TrailStores

/// `store copy`
struct CopyStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store copy" }

    var command: Command {
        Command(
            name, "copy a whole store",
            details: """
                The copy is a consistent snapshot including another program's write-ahead log, without a log \
                beside it. Existing files are never replaced.
                """,
            .positional("store", .text, "open store by name, or a file").completing(.openStoresAndFiles),
            .positional("to", .outputFile, "file or folder to create"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an empty one", "store copy :memory: copy.db; store show copy.db | get kind",
                    gives: "copied :memory: to copy.db (4096 bytes)\nother")
            ],
            searchTerms: [
                "convert an old store", "store of an older version", "backup of a database",
                "copy a database", "snapshot", "backup", "duplicate",
            ]
        ) { context, store, to in
            let store = try registry.chosen(store, context)
            let bytes = try await StoreCopy.copy(
                store.connection, to: to, parameter: "to", progress: context.progress)
            return .text("copied \(store.name) to \(to.lastPathComponent) (\(bytes) bytes)")
        }
    }
}
