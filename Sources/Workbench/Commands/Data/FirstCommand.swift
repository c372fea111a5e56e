import PluginKit

/// `first [N]`
struct FirstCommand: CommandProvider {
    var name: String { "first" }

    var command: Command {
        Command(
            name, "return the first row, or the first few",
            details: """
                Requests no more rows from the preceding commands than it returns. Without a count it returns the row \
                itself, and nothing when there are no rows.
                """,
            .optional("count", .integer(0...Int.max), "number of rows; without it, the first row itself"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("two of many", "range 1 1000000000 | first 2 | sum", gives: "3"),
                .init(
                    "the row itself", "$huts | first | get name", after: [DataCommands.huts], gives: "Illa"),
            ],
            searchTerms: [
                "first rows", "top rows", "beginning of a table", "preview", "head", "limit", "take", "top",
            ]
        ) { input, _, count in
            let rows = try Rows(input, for: "first")
            guard let count else { return try rows.makeIterator().next() ?? .nothing }
            return .rows(rows.prefix(count))
        }
    }
}
