import PluginKit
import TrailStores

/// `hike rename`
struct RenameHike: LegacyCommand {
    let library: ActiveStore<HikeStore>
    private static let name = Parameter.positional("name", .text, "the new name")

    let spec = CommandSpec(
        "hike rename", "gives a hike another name", parameters: [HikeOptions.hike.spec, name.spec],
        output: .value("hike"), effect: .changes,
        examples: [
            .init(
                "a name", "hike rename Walk 'Morning walk' | get name", after: HikeExample.setup,
                gives: "Morning walk")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let name = try arguments[Self.name]
        guard name.contains(where: { !$0.isWhitespace }) else {
            throw HikeErrors.emptyName("the name is empty", at: .parameter("name"))
        }
        return try HikeEdit.apply(try arguments[HikeOptions.hike].hike, library, context) { $0.name = name }
    }
}

/// `hike comment`
struct CommentHike: LegacyCommand {
    let library: ActiveStore<HikeStore>
    private static let text = Parameter.positional("text", .text, "the comment; '' takes it away")

    let spec = CommandSpec(
        "hike comment", "writes a comment about a hike", parameters: [HikeOptions.hike.spec, text.spec],
        output: .value("hike"), effect: .changes,
        examples: [
            .init(
                "a comment", "hike comment Walk 'Icy' | get comment", after: HikeExample.setup, gives: "Icy")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let text = try arguments[Self.text]
        return try HikeEdit.apply(try arguments[HikeOptions.hike].hike, library, context) {
            $0.comment = text
        }
    }
}

/// Changes a hike, so that it can be undone.
private enum HikeEdit {
    static func apply(
        _ before: Hike, _ library: ActiveStore<HikeStore>, _ context: Context, _ change: (inout Hike) -> Void
    ) throws -> Value {
        let store = try library.writableStore(context)
        var after = before
        change(&after)
        guard after != before else {
            throw HikeErrors.nothingToChange("hike \(before.displayName) is like this already")
        }
        after.modifiedAt = context.clock.now
        guard try store.update(before, to: after) else {
            throw HikeErrors.changedSince(
                "hike \(before.displayName) was changed or deleted in the meantime", at: .parameter("hike"))
        }
        HikeUndo.recordEditing(before, after: after, in: store, context.journal)
        return .object(HikeObject(after, in: store))
    }
}
