import Foundation
import PluginKit
import TrailStores

/// `store adopt`
struct AdoptStore: CommandProvider {
    var command: Command {
        Command(
            "store adopt", "makes a copy of a store one of your own",
            details: """
                Commands then work on it as on what you made yourself. Your own stores go by their names: waypoints.db, \
                routes.db, planned_routes, gtfs.db. One that is there already is never replaced. `bug bundle` begins a bundle \
                with it where the session began with stores.
                """,
            .positional("file", .inputPath, "a store, or another file of a workspace"),
            .option("as", .text, "the name it gets; by default its own, such as waypoints.db"),
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
                    "`\(name)` is no name of a store", at: .parameter("as"), fix: "--as waypoints.db")
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
