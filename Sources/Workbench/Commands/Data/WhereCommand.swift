import PluginKit

/// `where EXPRESSION`
struct WhereCommand: CommandProvider {
    var command: Command {
        Command(
            "where", "keeps the rows for which an expression is true",
            details: """
                Bare names are fields of the row, `it` is the row itself. On the right of == != in =~ a bare word that \
                is no field stands for itself: where category == shelter.
                """,
            .positional("condition", .expression, "what must hold for a row to stay"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [.init("numbers above two", "[1 2 3 4] | where it > 2 | count", gives: "2")]
        ) { input, _, condition in
            @Sendable func holds(_ row: Value) throws -> Bool {
                switch try condition(row) {
                case .boolean(let holds): return holds
                case .nothing: return false
                case let other:
                    throw LanguageErrors.type(
                        "the condition is a \(other.kindName), neither true nor false",
                        at: .parameter("condition"))
                }
            }
            return .rows(try Rows(input, for: "where").filter { holds })
        }
    }
}
