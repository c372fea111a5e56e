import PluginKit

/// `each EXPRESSION`
struct EachCommand: CommandProvider {
    var name: String { "each" }

    var command: Command {
        Command(
            name, "compute a value from each row",
            .positional(
                "expression", .expression, "value for a row; bare names are its fields, `it` is the row"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init("lengths of a list", "[1 2 3] | each it * 100m", gives: "100m\n200m\n300m"),
                .init("of a field", "$huts | each beds / 2 | sum", after: [DataCommands.huts], gives: "51"),
            ],
            searchTerms: [
                "for every row", "apply a function", "formula", "calculate", "map", "compute", "transform",
            ]
        ) { input, _, expression in .rows(try Self.rows(input, expression)) }
    }

    /// The value of each row; records of one literal are a table of its keys.
    private static func rows(_ input: Value, _ expression: RowExpression) throws -> Rows {
        let rows = try Rows(input, for: "each")
        let expression = try expression.over(rows)
        let keys = expression.recordKeys
        var fields: (@Sendable () -> [String]?)?
        if let keys { fields = { keys } }
        return rows.watchingFields(columns: keys, fields: fields) { row, watch in
            try expression(row, watch)
        }
    }
}
