import PluginKit

/// `first [N]`
struct FirstCommand: CommandProvider {
    var command: Command {
        Command(
            "first", "gives the first row, or the first few",
            details: """
                Asks the commands before it for no more rows than it gives. Without a count it gives the row itself, and \
                nothing when there is none.
                """,
            .optional("count", .integer(0...Int.max), "how many; without it the first row itself"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("two of many", "range 1 1000000000 | first 2 | sum", gives: "3"),
                .init(
                    "the row itself", "$huts | first | get name", after: [DataCommands.huts], gives: "Illa"),
            ], searchTerms: ["head", "limit", "take", "top"]
        ) { input, _, count in
            let rows = try Rows(input, for: "first")
            guard let count else { return try rows.makeIterator().next() ?? .nothing }
            return .rows(rows.prefix(count))
        }
    }
}
