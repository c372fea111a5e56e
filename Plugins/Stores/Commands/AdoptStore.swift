import Foundation
import PluginKit
import TrailStores

/// `store adopt`
struct AdoptStore: CommandProvider {
    var command: Command {
        Command(
            "store adopt", "copy a store into your workspace",
            details: """
                Commands then work on the copy as on your own data. Your own stores are found by name: waypoints.db, \
                routes.db, planned_routes, gtfs.db. An existing one is never replaced. `bug bundle` starts a bundle \
                with `store adopt` for each store that the session started with.
                """,
            .positional("file", .inputPath, "store, or another file of a workspace"),
            .option("as", .text, "name of the copy, such as waypoints.db; default: the file's"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an empty one", "store adopt copy.db --as notes.db; store info notes.db | get kind",
                    after: ["store copy :memory: copy.db"],
                    gives: "notes.db is your own now (4096 bytes)\nother")
            ], searchTerms: ["restore", "import", "workspace"]
        ) { context, file, name in
            let name = name ?? file.lastPathComponent
            guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
                throw StoreSessionErrors.nameTaken(
                    "not a store name: `\(name)`", at: .parameter("as"), fix: "--as waypoints.db")
            }
            let target = context.workspace.appendingPathComponent(name)
            let bytes: Int
            do {
                let connection = try StoreConnection.reading(file)
                bytes = try await StoreCopy.copy(
                    connection, to: target, parameter: "file", progress: context.progress)
            } catch let error as RutterError where error.code == StoreErrors.notADatabase.code {
                bytes = try await StoreCopy.copy(
                    plain: file, to: target, parameter: "file", progress: context.progress)
            }
            return .text("\(name) is your own now (\(bytes) bytes)")
        }
    }
}
