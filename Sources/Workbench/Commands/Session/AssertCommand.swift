import PluginKit

/// `assert EXPRESSION`
struct AssertCommand: CommandProvider {
    var name: String { "assert" }

    var command: Command {
        Command(
            name, "fail unless an expression is true",
            details: """
                At the start of a pipeline the expression uses variables; after a pipe a record's fields, or `it` \
                for the whole value.
                """,
            .positional("condition", .expression, "expression that must be true"),
            input: .optional(.any), output: .nothing, effect: .pure,
            examples: [
                .init("a comparison", "assert 2km > 300m"),
                .init("about the value in the pipe", "[1 2 3] | count | assert it == 3"),
            ],
            searchTerms: [
                "check a value", "unit test", "fail if", "expect", "check an assumption", "assumption",
                "must hold",
            ]
        ) { input, _, condition in
            guard case .boolean(true) = try condition(input) else {
                var facts = ""
                if case .nothing = input {
                } else {
                    facts = ": it is " + DisplayWidth.truncated(ValueText.inline(input), to: 60)
                }
                // A bare word on the right is text, not a field, so it has no value to show.
                let operands = ((try? condition.operands?(input)) ?? nil) ?? []
                let shown = operands.map {
                    "\($0.text) = \(DisplayWidth.truncated(ValueText.inline($0.value), to: 60))"
                }
                if !shown.isEmpty { facts = ": " + shown.joined(separator: ", ") }
                throw LanguageErrors.assertion(
                    "`\(condition.text)` is false\(facts)", at: .parameter("condition"))
            }
            return .nothing
        }
    }
}
