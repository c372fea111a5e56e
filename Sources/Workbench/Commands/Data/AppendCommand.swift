import PluginKit

/// `append ROWS`
struct AppendCommand: CommandProvider {
    var name: String { "append" }

    var command: Command {
        Command(
            name, "put other rows behind these",
            details:
                "Columns are those of the first rows, then further ones of the second; what a row lacks is missing.",
            .positional("rows", .value, "rows, such as (open other.csv)"),
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init("lists", "[1 2] | append [3] | sum", gives: "6"),
                .init(
                    "tables", "$huts | append [{name: 'Ruhle' beds: 58}] | sum beds",
                    after: [DataCommands.huts],
                    gives: "160"),
            ],
            searchTerms: [
                "merge two csv files", "one table below the other",
                "stack tables", "put tables together", "one below the other", "concatenate", "union",
                "add rows", "combine",
            ]
        ) { input, _, other in
            let first = try Rows(input, for: "append")
            let second = try Rows(other.tabulated, for: "append")
            let columns = first.columns.flatMap { columns in
                second.columns.map { columns + $0.filter { !columns.contains($0) } }
            }
            return .rows(
                first.deriving(columns: columns) { source in
                    var rest: Rows.Iterator?
                    return {
                        if rest == nil, let row = try source.next() { return row }
                        let iterator = try rest ?? second.makeIterator()
                        rest = iterator
                        return try iterator.next()
                    }
                })
        }
    }
}
