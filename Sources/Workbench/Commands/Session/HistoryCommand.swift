import PluginKit

/// `history`
struct HistoryCommand: LegacyCommand {
    let session: SessionHandle

    let spec = CommandSpec(
        "history", "lists the entries of this session", output: .rows(["entry", "input"]), effect: .pure,
        examples: [.init("the last one", "history | last 1 | get input", after: ["1 + 1"], gives: "1 + 1")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let entries = try await session.get().transcript
        return .table(
            columns: ["entry", "input"],
            cells: entries.enumerated().map { [.integer($0.offset + 1), .text($0.element.input)] })
    }
}

/// `vars`
struct VariablesCommand: LegacyCommand {
    let session: SessionHandle

    let spec = CommandSpec(
        "vars", "lists the variables", output: .rows(["name", "kind", "value"]), effect: .pure,
        examples: [.init("one variable", "vars | get name", after: ["let reach = 2km"], gives: "reach")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let session = try session.get()
        var cells: [[Value]] = []
        for name in await session.variableNames {
            let value = await session.variable(name) ?? .nothing
            cells.append([.text(name), .text(value.kindName), .text(ValueText.inline(value))])
        }
        return .table(columns: ["name", "kind", "value"], cells: cells)
    }
}

/// `quit`
struct QuitCommand: LegacyCommand {
    let session: SessionHandle

    let spec = CommandSpec(
        "quit", "leaves the session", output: .nothing, effect: .pure,
        examples: [.init("leave", "quit")], searchTerms: ["exit", "leave"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        try await session.get().quit()
        return .nothing
    }
}
