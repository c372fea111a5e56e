import PluginKit

/// `undo`
struct UndoCommand: CommandProvider {
    var command: Command {
        Command(
            "undo", "takes back the newest change of this session",
            details: """
                Changes are taken back one at a time, newest first. When the thing was changed in the meantime by \
                another session, nothing happens and the error says so.
                """,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "nothing was changed yet", "expect-error E-UNDO-NOTHING undo",
                    gives: "there is nothing to undo")
            ]
        ) { context in
            guard let entry = context.journal.takeLast() else {
                throw SessionErrors.nothingToUndo("there is nothing to undo")
            }
            do {
                try await entry.revert()
            } catch {
                context.journal.putBack(entry)
                throw error
            }
            return .text("undone: \(entry.summary)")
        }
    }
}
