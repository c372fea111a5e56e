import PluginKit

/// `count`
struct CountCommand: CommandProvider {
    var name: String { "count" }

    var command: Command {
        Command(
            name, "count the rows",
            input: .rows([]), output: .value("number"), effect: .pure,
            examples: [
                .init("a list", "[3 1 2] | count", gives: "3"),
                .init("matching rows", "range 1 100 | where it % 7 == 0 | count", gives: "14"),
            ], searchTerms: ["how many rows", "number of rows", "count rows", "length", "size", "number of"]
        ) { input, _ in
            .integer(try Rows(input, for: "count").count())
        }
    }
}
