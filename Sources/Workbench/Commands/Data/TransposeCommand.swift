import PluginKit

/// `transpose`
struct TransposeCommand: CommandProvider {
    var name: String { "transpose" }

    var command: Command {
        Command(
            name, "turn rows into columns",
            details: """
                Each field becomes a row: its name in `field`, and the values of the rows in `row1`, `row2`, …. At most \(Self.most) \
                rows.
                """,
            input: .rows([]), output: .rows([]), effect: .pure,
            examples: [
                .init(
                    "two rows", "$huts | first 2 | transpose", after: [DataCommands.huts],
                    gives:
                        "field   row1    row2\nname    Illa    Sorteny\nbeds    50      46\nvalley  Madriu  Ordino"
                )
            ],
            searchTerms: [
                "wide form", "long form", "pivot",
                "swap rows and columns", "flip a table", "exchange rows and columns", "rotate",
                "flip",
            ]
        ) { input, _ in
            let rows =
                input.tabulated.fieldNames == nil ? try Rows(input, for: "transpose").collect() : [input]
            guard rows.count <= Self.most else {
                throw CommonErrors.argumentRange(
                    "`transpose` takes at most \(Self.most) rows, not \(rows.count)",
                    fix: "… | first \(Self.most) | transpose")
            }
            guard let names = rows.fieldNames(after: []) else {
                throw DataErrors.notRows("`transpose` needs rows with fields")
            }
            let columns: [String] = ["field"] + rows.indices.map { "row\($0 + 1)" }
            let cells: [[Value]] = names.map { name in
                var cells: [Value] = [.text(name)]
                for row in rows { cells.append(row.field(name) ?? .nothing) }
                return cells
            }
            return .table(columns: columns, cells: cells)
        }
    }

    private static let most = 100
}
