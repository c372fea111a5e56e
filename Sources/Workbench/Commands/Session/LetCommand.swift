import PluginKit

/// `let [NAME = PIPELINE]`
struct LetCommand: CommandProvider {
    let session: SessionHandle
    private static let columns = ["name", "kind", "value"]

    var name: String { "let" }

    var command: Command {
        Command(
            name, "store a pipeline's value in a variable, or list them",
            .optional("name", .text, "variable's name, used as $NAME"),
            .optional("equals", .choice([.init("=")]), "the sign ="),
            .optional("pipeline", .pipeline, "pipeline that computes the value"),
            output: .rows(Self.columns), effect: .pure,
            examples: [
                .init("a quantity", "let reach = 2km; $reach * 3", gives: "6km"),
                .init("a list", "let n = [3 1 2]; $n | sort | first", gives: "1"),
                .init("the variables", "let | get name", after: ["let reach = 2km"], gives: "reach"),
            ],
            searchTerms: [
                "remember a value", "save a result", "name a value", "keep a result", "variables", "assign",
                "vars", "reuse a result",
            ]
        ) { _, name, equals, pipeline in
            let session = try session.get()
            guard let name else { return await Self.list(session) }
            guard equals != nil, let pipeline else {
                throw LanguageErrors.missingArgument(
                    "`let \(name)` needs a value", at: .parameter("name"), fix: "let \(name) = 5")
            }
            guard name != "_", name.first?.isLetter == true,
                name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else {
                throw LanguageErrors.syntax(
                    "`\(name)` is not a valid variable name", at: .parameter("name"),
                    fix: "a name is letters, digits and _, a letter first: let x = 5")
            }
            let value = try await pipeline.run()
            await session.setVariable(name, to: value)
            return .nothing
        }
    }

    private static func list(_ session: Session) async -> Value {
        var cells: [[Value]] = []
        for name in await session.variableNames {
            let value = await session.variable(name) ?? .nothing
            cells.append([.text(name), .text(value.kindName), .text(ValueText.inline(value))])
        }
        return .table(columns: columns, cells: cells)
    }
}
