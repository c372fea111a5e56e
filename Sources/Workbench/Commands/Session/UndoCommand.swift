import PluginKit

/// `undo`
struct UndoCommand: CommandProvider {
    var name: String { "undo" }

    var command: Command {
        Command(
            name, "revert the latest change of this session",
            details: """
                Changes are reverted one at a time, newest first. If another session has changed the item since, `undo` \
                fails and changes nothing.
                """,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "nothing has been changed yet", "expect-error E-UNDO-NOTHING undo",
                    gives: "nothing to undo")
            ],
            searchTerms: [
                "restore what was deleted", "take back", "oops", "revert", "go back", "mistake", "restore",
                "last command", "last step", "i made a mistake", "deleted the wrong", "by accident",
                "accidentally",
            ]
        ) { context in
            guard let summary = try await context.journal.revertLast() else {
                throw SessionErrors.nothingToUndo("nothing to undo")
            }
            return .text("undone: \(summary)")
        }
    }
}
