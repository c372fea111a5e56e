import PluginKit
import TrailStores

/// `hike rename`
struct RenameHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike rename" }

    var command: Command {
        Command(
            name, "rename a hike",
            HikeOptions.hike,
            .positional("name", .text, "new name"),
            output: .value("hike"), effect: .changes,
            examples: [
                .init(
                    "a name", "hike rename Walk 'Morning walk' | get name", after: HikeExample.setup,
                    gives: "Morning walk")
            ]
        ) { context, hike, name in
            guard name.contains(where: { !$0.isWhitespace }) else {
                throw HikeErrors.emptyName("the name is empty", at: .parameter("name"))
            }
            return try HikeEdit.apply(hike.hike, library, context) { $0.name = name }
        }
    }
}

/// `hike comment`
struct CommentHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike comment" }

    var command: Command {
        Command(
            name, "set or remove a hike's comment",
            HikeOptions.hike,
            .positional("text", .text, "comment; '' removes it"),
            output: .value("hike"), effect: .changes,
            examples: [
                .init(
                    "a comment", "hike comment Walk 'Icy' | get comment", after: HikeExample.setup,
                    gives: "Icy")
            ]
        ) { context, hike, text in
            try HikeEdit.apply(hike.hike, library, context) { $0.comment = text }
        }
    }
}

/// Applies an undoable change to a hike.
private enum HikeEdit {
    static func apply(
        _ before: Hike, _ library: ActiveStore<HikeStore>, _ context: Context, _ change: (inout Hike) -> Void
    ) throws -> Value {
        let store = try library.writableStore(context)
        var after = before
        change(&after)
        guard !after.isStored(as: before) else {
            throw HikeErrors.nothingToChange("hike \(before.displayName) already has this name or comment")
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
