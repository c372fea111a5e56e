import PluginKit

/// `skip N`
struct SkipCommand: CommandProvider {
    var name: String { "skip" }

    var command: Command {
        Command(
            name, "skip the first rows",
            .positional("count", .integer(0...Int.max), "number of rows"),
            input: .rows([]), output: .sameRows, effect: .pure,
            examples: [
                .init("the third page of ten", "range 1 100 | skip 20 | first 10 | last", gives: "30")
            ],
            searchTerms: [
                "row number", "nth row",
                "leave out rows", "rows from to", "rows between", "offset", "drop", "page",
                "remove the first line", "without the first lines", "without the first rows",
                "drop the first rows", "cut off the first rows",
            ]
        ) { input, _, count in
            return .rows(
                try Rows(input, for: "skip").filter {
                    var left = count
                    return { _ in
                        if left == 0 { return true }
                        left -= 1
                        return false
                    }
                })
        }
    }
}
