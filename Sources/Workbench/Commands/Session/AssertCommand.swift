import PluginKit

/// `assert EXPRESSION`
struct AssertCommand: LegacyCommand {
    private static let condition = Parameter.positional("condition", .expression, "what must be true")

    let spec = CommandSpec(
        "assert", "fails unless an expression is true",
        details: """
            At the start of a pipeline the expression uses variables; after a pipe a record's fields, or `it` \
            for the whole value.
            """,
        parameters: [condition.spec], input: .optional(.any), output: .nothing, effect: .pure,
        examples: [
            .init("a comparison", "assert 2km > 300m"),
            .init("about the value in the pipe", "[1 2 3] | count | assert it == 3"),
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let condition = try arguments[Self.condition]
        guard case .boolean(true) = try condition(input) else {
            var facts = ""
            if case .nothing = input {
            } else {
                facts = ": it is " + DisplayWidth.truncated(ValueText.inline(input), to: 60)
            }
            throw LanguageErrors.assertion(
                "`\(condition.text)` does not hold\(facts)", at: .parameter("condition"))
        }
        return .nothing
    }
}
