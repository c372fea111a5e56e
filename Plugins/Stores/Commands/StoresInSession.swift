import Foundation
import PluginKit

/// `store list`
struct ListStores: CommandProvider {
    var name: String { "store list" }

    var command: Command {
        Command(
            name, "list stores that are open",
            .flag("own", "list the workspace's own databases too, with the access `own`"),
            output: .rows(StoreObject.columns), effect: .reads,
            examples: [
                .init("none are open at first", "store list | count", gives: "0"),
                .init("own stores, none yet", "store list --own | count", gives: "0"),
            ], searchTerms: ["open databases", "which stores are open"]
        ) { context, own in
            let current = context.stores.current
            return .table(
                objects: context.stores.entries.map { StoreObject(entry: $0, isInUse: $0 == current) }
                    + (own ? Self.own(context) : []),
                columns: StoreObject.columns)
        }
    }

    /// The databases of the workspace.
    private static func own(_ context: Context) -> [StoreObject] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: context.workspace.path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".db") }.map { name in
            let url = context.workspace.appendingPathComponent(name)
            return StoreObject(
                entry: .init(
                    name: name, kind: StoreKind.allCases.first { $0.fileName == name } ?? .other, url: url,
                    isWritable: false),
                isInUse: false, isOwn: true)
        }
    }
}

/// `store use`
struct UseStore: CommandProvider {
    var name: String { "store use" }
    /// What to do about a name that no open store has.
    static let fix = "store list names the open stores; store open FILE opens another"

    var command: Command {
        Command(
            name, "choose the store that commands work on",
            .optional("name", .text, "open store; default: return to your own stores")
                .completing(.openStores),
            output: .value("text"), effect: .changes,
            examples: [.init("your own", "store use", gives: "your own stores are in use")],
            searchTerms: ["switch database", "choose a database"]
        ) { context, name in
            guard context.stores.use(name) else {
                throw StoreSessionErrors.unknown(
                    "no open store is named `\(name ?? "")`", at: .parameter("name"), fix: Self.fix,
                    suggestion: Suggestion.nearest(to: name ?? "", in: context.stores.entries.map(\.name)))
            }
            guard let entry = context.stores.current else { return .text("your own stores are in use") }
            return .text("\(entry.name) is in use, for \(entry.isWritable ? "writing" : "reading only")")
        }
    }
}

/// `store close`
struct CloseStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store close" }

    var command: Command {
        Command(
            name, "close a store",
            details:
                "If it was in use, commands return to your own stores. A container is closed with all its stores.",
            .optional("name", .text, "open store by name; default: the one in use").completing(
                .openStores),
            output: .value("text"), effect: .changes,
            examples: [
                .init("one that is not open", "expect-error E-STORE-UNKNOWN store close phone")
            ], searchTerms: ["close a database"]
        ) { context, name in
            guard let name = name ?? context.stores.current?.name else {
                throw StoreSessionErrors.none(
                    "no store is in use", fix: "`store list` shows those that are open")
            }
            if let container = registry.removeContainer(name) {
                let entries = context.stores.entries.filter { $0.container == container.name }
                for entry in entries {
                    _ = context.stores.remove(entry.name)
                    registry.remove(entry)
                }
                return .text("closed \(name) with \(entries.count, of: "store")")
            }
            guard let entry = context.stores.remove(name) else {
                throw StoreSessionErrors.unknown(
                    "no open store is named `\(name)`", at: .parameter("name"), fix: UseStore.fix,
                    suggestion: Suggestion.nearest(to: name, in: context.stores.entries.map(\.name)))
            }
            registry.remove(entry)
            return .text("closed \(name)")
        }
    }
}
