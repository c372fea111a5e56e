import Foundation
import PluginKit
import TrailStores

/// `store copy`
struct CopyStore: CommandProvider {
    let registry: StoreRegistry

    var command: Command {
        Command(
            "store copy", "copies a store whole",
            details: """
                The copy is the state of one moment, with what another program has in its write-ahead log, and without a log \
                beside it. What exists is never replaced.
                """,
            .positional("store", .text, "an open store by name, or a file").completing(.openStoresAndFiles),
            .positional("to", .outputFile, "the file or folder to make"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an empty one", "store copy :memory: copy.db; store info copy.db | get kind",
                    gives: "copied :memory: to copy.db (4096 bytes)\nother")
            ], searchTerms: ["backup", "duplicate"]
        ) { context, store, to in
            let store = try registry.chosen(store, context)
            let bytes = try await StoreCopy.copy(
                store.connection, to: to, parameter: "to", progress: context.progress)
            return .text("copied \(store.name) to \(to.lastPathComponent) (\(bytes) bytes)")
        }
    }
}
