import PluginKit

/// `let x = pipeline`
struct LetCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "let" }

    var command: Command {
        Command(
            name, "store the value of a pipeline in a variable",
            .positional("name", .text, "variable's name, used as $NAME"),
            .positional("equals", .choice([.init("=")]), "the sign ="),
            .positional("pipeline", .pipeline, "pipeline that computes the value"),
            output: .nothing, effect: .pure,
            examples: [
                .init("a quantity", "let reach = 2km; $reach * 3", gives: "6km"),
                .init("a list", "let n = [3 1 2]; $n | sort | first", gives: "1"),
            ]
        ) { _, name, _, pipeline in
            guard name != "_", name.first?.isLetter == true,
                name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
            else {
                throw LanguageErrors.syntax(
                    "`\(name)` is not a valid variable name", at: .parameter("name"),
                    fix: "a name is letters, digits and _, a letter first: let x = 5")
            }
            let value = try await pipeline.run()
            try await session.get().setVariable(name, to: value)
            return .nothing
        }
    }
}
