import Foundation
import PluginKit

/// `where EXPRESSION`
struct WhereCommand: CommandProvider {
    var name: String { "where" }

    var command: Command {
        Command(
            name, "keep the rows that match a condition",
            details: """
                Bare names are fields of the row, `it` is the row itself. On the right of == != in a bare word that is not a \
                field is text: where category == shelter; one that no row has but that is nearly a value or a field is an error. A \
                field missing from a row is nothing (also written null or none); one that no row has is an error. Aggregates \
                are those of all rows: where beds == max(beds).
                """,
            .positional("condition", .expression, "condition for a row"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [.init("numbers above two", "[1 2 3 4] | where it > 2 | count", gives: "2")],
            searchTerms: [
                "delete rows", "remove rows", "rows without a value", "empty cells", "keep rows",
                "greater than", "select rows", "not empty",
                "filter", "filter rows", "condition", "only some rows", "regex", "regular expression",
                "only rows", "between two values", "filter by date", "rows with", "find a row",
                "row with an id", "rows over", "more than", "less than", "longer than", "shorter than",
                "higher than", "lower than",
            ]
        ) { input, _, condition in
            let rows = try Rows(input, for: "where")
            let written = condition.text.trimmingCharacters(in: .whitespaces)
            let condition = try condition.over(rows)
            @Sendable func holds(_ row: Value, _ watch: FieldWatch) throws -> Bool {
                switch try condition(row, watch) {
                case .boolean(let holds): return holds
                case .nothing: return false
                case let other:
                    throw LanguageErrors.type(
                        "the condition is a \(other.kindName), not true or false",
                        at: .parameter("condition"), fix: Self.comparison(of: written, with: other))
                }
            }
            return .rows(
                rows.watchingFields(columns: rows.columns, fields: rows.sameFields) { row, watch in
                    try holds(row, watch) ? row : nil
                })
        }
    }

    /// What to write where a field that is neither true nor false is the condition.
    private static func comparison(of condition: String, with value: Value) -> String? {
        let literal: String? =
            switch value {
            case .text(let text): Literal.quoted(text)
            case .integer(let number): String(number)
            default: nil
            }
        let isField = condition.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return literal.map { "compare it with a value: \(isField ? condition : "FIELD") == \($0)" }
    }
}
