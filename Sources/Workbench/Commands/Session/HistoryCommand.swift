import PluginKit

/// `history`
struct HistoryCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "history" }

    var command: Command {
        Command(
            name, "list the entries of this session",
            output: .rows(["entry", "input"]), effect: .pure,
            examples: [
                .init("the last one", "history | last 1 | get input", after: ["1 + 1"], gives: "1 + 1")
            ]
        ) { _ in
            let entries = try await session.get().transcript
            return .table(
                columns: ["entry", "input"],
                cells: entries.enumerated().map { [.integer($0.offset + 1), .text($0.element.input)] })
        }
    }
}

/// `vars`
struct VariablesCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "vars" }

    var command: Command {
        Command(
            name, "list the variables",
            output: .rows(["name", "kind", "value"]), effect: .pure,
            examples: [.init("one variable", "vars | get name", after: ["let reach = 2km"], gives: "reach")]
        ) { _ in
            let session = try session.get()
            var cells: [[Value]] = []
            for name in await session.variableNames {
                let value = await session.variable(name) ?? .nothing
                cells.append([.text(name), .text(value.kindName), .text(ValueText.inline(value))])
            }
            return .table(columns: ["name", "kind", "value"], cells: cells)
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
            output: .nothing, effect: .pure,
            examples: [.init("leave", "quit")], searchTerms: ["exit", "leave"]
        ) { _ in
            try await session.get().quit()
            return .nothing
        }
    }
}
