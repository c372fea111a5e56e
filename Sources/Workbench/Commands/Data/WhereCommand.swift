import PluginKit

/// `where EXPRESSION`
struct WhereCommand: CommandProvider {
    var command: Command {
        Command(
            "where", "keep the rows that match a condition",
            details: """
                Bare names are fields of the row, `it` is the row itself. On the right of == != in =~ a bare word that \
                is not a field is text: where category == shelter.
                """,
            .positional("condition", .expression, "condition for a row"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [.init("numbers above two", "[1 2 3 4] | where it > 2 | count", gives: "2")]
        ) { input, _, condition in
            @Sendable func holds(_ row: Value) throws -> Bool {
                switch try condition(row) {
                case .boolean(let holds): return holds
                case .nothing: return false
                case let other:
                    throw LanguageErrors.type(
                        "the condition is a \(other.kindName), not true or false",
                        at: .parameter("condition"))
                }
            }
            return .rows(try Rows(input, for: "where").filter { holds })
        }
    }
}
