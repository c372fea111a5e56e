import PluginKit

/// `history`
struct HistoryCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "history" }

    var command: Command {
        Command(
            name, "list the entries of this session",
            details: "Empty entries, and those that were stopped, are left out, as in a saved notebook.",
            output: .rows(["entry", "input"]), effect: .pure,
            examples: [
                .init("the last one", "history | last 1 | get input", after: ["1 + 1"], gives: "1 + 1")
            ],
            searchTerms: [
                "list of entries", "what did i type", "previous commands", "last line", "earlier commands",
            ]
        ) { _ in
            // As in the notebook that `notebook save` writes, so that it counts the same there.
            let entries = try await session.get().transcript.filter {
                !$0.wasStopped && !$0.input.allSatisfy(\.isWhitespace)
            }
            return .table(
                columns: ["entry", "input"],
                cells: entries.enumerated().map { [.integer($0.offset + 1), .text($0.element.input)] })
        }
    }
}

/// `quit`
struct QuitCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "quit" }

    var command: Command {
        Command(
            name, "leave the session",
            details: "Ctrl-D does the same. Ctrl-C stops a running command, and the session goes on.",
            output: .nothing, effect: .pure,
            examples: [.init("leave", "quit")],
            searchTerms: [
                "close", "log out", "bye",
                "exit", "leave", "stop a running command", "cancel", "abort", "ctrl-c", "end the program",
            ]
        ) { _ in
            try await session.get().quit()
            return .nothing
        }
    }
}
