import PluginKit

/// `enumerate`
struct EnumerateCommand: CommandProvider {
    var name: String { "enumerate" }

    var command: Command {
        Command(
            name, "number the rows, from 1",
            details: "Adds a column `index` in front. The values of a plain list become the column `item`.",
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "rows", "$huts | enumerate | select index name | first 2", after: [DataCommands.huts],
                    gives: "index  name\n    1  Illa\n    2  Sorteny"),
                .init("a list", "['a' 'b'] | enumerate | last", gives: "index  2\nitem   b"),
            ], searchTerms: ["add ids", "row ids", "number", "row number", "index", "count rows"]
        ) { input, _ in
            let rows = try Rows(input, for: "enumerate")
            let columns = rows.columns.map { ["index"] + $0 }
            return .rows(
                rows.deriving(columns: columns) { source in
                    var number = 0
                    return {
                        guard let row = try source.next() else { return nil }
                        number += 1
                        if row.field("index") != nil {
                            throw DataErrors.duplicate(
                                "the rows have a field `index` already",
                                fix: "rename index number | enumerate")
                        }
                        guard let record = row.asRecord else {
                            return .record(Record(keys: ["index", "item"], values: [.integer(number), row]))
                        }
                        return .record(
                            Record(
                                keys: ["index"] + record.keys, values: [.integer(number)] + record.values))
                    }
                })
        }
    }
}
