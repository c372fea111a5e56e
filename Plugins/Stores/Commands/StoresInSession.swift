import PluginKit

/// `store list`
struct ListStores: LegacyCommand {
    let spec = CommandSpec(
        "store list", "lists the stores that are open", output: .rows(StoreObject.columns), effect: .reads,
        examples: [.init("none are open at first", "store list | count", gives: "0")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let current = context.stores.current
        return .table(
            objects: context.stores.entries.map { StoreObject(entry: $0, isInUse: $0 == current) },
            columns: StoreObject.columns)
    }
}

/// `store use`
struct UseStore: LegacyCommand {
    private static let name = Parameter.optional(
        "name", .text, "an open store; without it commands work on your own stores again"
    ).completing(.openStores)

    let spec = CommandSpec(
        "store use", "chooses the store that commands work on", parameters: [name.spec],
        output: .value("text"),
        effect: .changes,
        examples: [.init("your own", "store use", gives: "your own stores are in use")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let name = try arguments[Self.name]
        guard context.stores.use(name) else {
            throw StoreSessionErrors.unknown(
                "no store named `\(name ?? "")` is open", at: .parameter("name"),
                suggestion: Suggestion.nearest(to: name ?? "", in: context.stores.entries.map(\.name)))
        }
        guard let entry = context.stores.current else { return .text("your own stores are in use") }
        return .text("\(entry.name) is in use, for \(entry.isWritable ? "writing" : "reading only")")
    }
}

/// `store close`
struct CloseStore: LegacyCommand {
    let registry: StoreRegistry
    private static let name = Parameter.optional(
        "name", .text, "an open store by name; by default the one in use"
    ).completing(.openStores)

    let spec = CommandSpec(
        "store close", "closes a store",
        details: "Where it was in use, commands work on your own stores again.",
        parameters: [name.spec], output: .value("text"), effect: .changes,
        examples: [
            .init("one that is not open", "expect-error E-STORE-UNKNOWN store close phone")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        guard let name = try arguments[Self.name] ?? context.stores.current?.name else {
            throw StoreSessionErrors.none("no store is in use", fix: "`store list` shows those that are open")
        }
        guard let entry = context.stores.remove(name) else {
            throw StoreSessionErrors.unknown(
                "no store named `\(name)` is open", at: .parameter("name"),
                suggestion: Suggestion.nearest(to: name, in: context.stores.entries.map(\.name)))
        }
        registry.remove(entry)
        return .text("closed \(name)")
    }
}
