import PluginKit

/// `reverse`
struct ReverseCommand: CommandProvider {
    var name: String { "reverse" }

    var command: Command {
        Command(
            name, "reverse the order of the rows",
            details: "Requires all rows in memory.",
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [.init("a list", "[3 1 2] | reverse", gives: "2\n1\n3")],
            searchTerms: ["backwards", "last first", "descending", "turn around"]
        ) { input, _ in
            let rows = try Rows(input, for: "reverse")
            return rows.replaced(by: try rows.collect().reversed())
        }
    }
}
