import PluginKit

/// `where EXPRESSION`
struct WhereCommand: CommandProvider {
    var name: String { "where" }

    var command: Command {
        Command(
            name, "keep the rows that match a condition",
            details: """
                Bare names are fields of the row, `it` is the row itself. On the right of == != in =~ a bare word that \
                is not a field is text: where category == shelter. A field missing from a row is nothing; one that no row \
                has is an error.
                """,
            .positional("condition", .expression, "condition for a row"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [.init("numbers above two", "[1 2 3 4] | where it > 2 | count", gives: "2")],
            searchTerms: ["filter", "filter rows", "condition", "only some rows"]
        ) { input, _, condition in
            @Sendable func holds(_ row: Value, _ watch: FieldWatch) throws -> Bool {
                switch try condition(row, watch) {
                case .boolean(let holds): return holds
                case .nothing: return false
                case let other:
                    throw LanguageErrors.type(
                        "the condition is a \(other.kindName), not true or false",
                        at: .parameter("condition"))
                }
            }
            let rows = try Rows(input, for: "where")
            return .rows(
                rows.watchingFields(columns: rows.columns, fields: rows.sameFields) { row, watch in
                    try holds(row, watch) ? row : nil
                })
        }
    }
}
