import PluginKit

/// `let x = pipeline`
struct LetCommand: LegacyCommand {
    let session: SessionHandle
    private static let name = Parameter.positional("name", .text, "the variable's name, used as $NAME")
    private static let equals = Parameter.positional("equals", .choice([.init("=")]), "the sign =")
    private static let pipeline = Parameter.positional("pipeline", .pipeline, "what makes the value")

    let spec = CommandSpec(
        "let", "gives the value of a pipeline a name",
        parameters: [name.spec, equals.spec, pipeline.spec], output: .nothing, effect: .pure,
        examples: [
            .init("a quantity", "let reach = 2km; $reach * 3", gives: "6km"),
            .init("a list", "let n = [3 1 2]; $n | sort | first", gives: "1"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let name = try arguments[Self.name]
        guard name != "_", name.first?.isLetter == true,
            name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else {
            throw LanguageErrors.syntax(
                "`\(name)` cannot be a variable's name", at: .parameter("name"),
                fix: "a name is letters, digits and _, a letter first: let x = 5")
        }
        let value = try await arguments[Self.pipeline].run()
        try await session.get().setVariable(name, to: value)
        return .nothing
    }
}
