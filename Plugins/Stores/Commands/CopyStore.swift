import Foundation
import PluginKit
import TrailStores

/// `store copy`
struct CopyStore: LegacyCommand {
    let registry: StoreRegistry

    private static let store = Parameter.positional("store", .text, "an open store by name, or a file")
        .completing(.openStoresAndFiles)
    private static let to = Parameter.positional("to", .outputFile, "the file or folder to make")

    let spec = CommandSpec(
        "store copy", "copies a store whole",
        details: """
            The copy is the state of one moment, with what another program has in its write-ahead log, and without a log \
            beside it. What exists is never replaced.
            """,
        parameters: [store.spec, to.spec], output: .value("text"), effect: .changes,
        examples: [
            .init(
                "an empty one", "store copy :memory: copy.db; store info copy.db | get kind",
                gives: "copied :memory: to copy.db (4096 bytes)\nother")
        ], searchTerms: ["backup", "duplicate"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try registry.chosen(try arguments[Self.store], context)
        let target = try arguments[Self.to]
        let bytes = try await StoreCopy.copy(
            store.connection, to: target, parameter: "to", progress: context.progress)
        return .text("copied \(store.name) to \(target.lastPathComponent) (\(bytes) bytes)")
    }
}
