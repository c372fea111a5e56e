import Foundation
import PluginKit
import TrailStores

/// `store adopt`
struct AdoptStore: CommandProvider {
    var name: String { "store adopt" }

    var command: Command {
        Command(
            name, "copy a store into your workspace",
            details: """
                Commands then work on the copy as on your own data. Your own stores are found by name: waypoints.db, \
                routes.db, planned_routes, gtfs.db; a routing graph or map tiles become a region of the file's name. An existing one \
                is never replaced. A store of another kind, and a file that is no database, are refused for these names. `bug bundle` starts a bundle \
                with `store adopt` for each store that the session started with.
                """,
            .positional("file", .inputPath, "store, or another file of a workspace"),
            .option("as", .text, "name of the copy, such as waypoints.db; default: the file's"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an empty one", "store adopt copy.db --as notes.db; store show notes.db | get kind",
                    after: ["store copy :memory: copy.db"],
                    gives: "notes.db is now your own (4096 bytes)\nother")
            ], searchTerms: ["restore", "import", "workspace"]
        ) { context, file, name in
            let name = name ?? file.lastPathComponent
            guard !name.isEmpty, !name.hasPrefix("."), !name.contains("/"), !name.utf8.contains(0) else {
                throw StoreSessionErrors.nameTaken(
                    "not a store name: `\(name)`", at: .parameter("as"), fix: "--as waypoints.db")
            }
            var target = context.workspace.appendingPathComponent(name)
            let bytes: Int
            do {
                let connection = try StoreConnection.reading(file)
                let kind = try StoreRecognition(connection).kind
                if let wanted = Self.ownKind(name), kind != wanted, kind != .other {
                    throw StoreErrors.schema(
                        "\(file.lastPathComponent) is a store of \(kind.rawValue), and \(name) of \(wanted.rawValue)",
                        at: .parameter(file.lastPathComponent == name ? "file" : "as"), fix: "--as NAME")
                }
                if let region = Self.region(name, kind) {
                    let folder = StoreKind.routing.url(in: context.workspace)
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    target = folder.appendingPathComponent(region)
                }
                bytes = try await StoreCopy.copy(
                    connection, to: target, parameter: "file", progress: context.progress)
            } catch let error as RutterError where error.code == StoreErrors.notADatabase.code {
                // Your own store could then not be read, and would not be replaced either. An empty file is a new store.
                if let size = try? SQLiteFile.State(file).size, size > 0, Self.ownKind(name) != nil {
                    throw error
                }
                bytes = try await StoreCopy.copy(
                    plain: file, to: target, parameter: "file", progress: context.progress)
            }
            return .text("\(target.lastPathComponent) is now your own (\(bytes) bytes)")
        }
    }

    /// The kind of the session's own database of a name; `nil` for other names, and for stores that are folders.
    private static func ownKind(_ name: String) -> StoreKind? {
        if !name.hasSuffix(".db") { return nil }
        return StoreKind.allCases.first { $0.fileName == name }
    }

    /// The file name in the workspace's regions; `nil` for a store of another kind.
    private static func region(_ name: String, _ kind: StoreKind) -> String? {
        let suffix: String
        switch kind {
        case .routing: suffix = ".routing.db"
        case .mbtiles: suffix = ".mbtiles"
        default: return nil
        }
        if name.hasSuffix(suffix) { return name }
        let stem = [".routing.db", ".mbtiles", ".db"].first { name.hasSuffix($0) && name.count > $0.count }
        return (stem.map { String(name.dropLast($0.count)) } ?? name) + suffix
    }
}
