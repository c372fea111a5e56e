import Foundation
import GRDB
import PluginKit
import TrailStores

/// `store blob`
struct ShowBlob: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store blob" }

    var command: Command {
        Command(
            name, "show the content of a blob, or write it to a file",
            details: """
                A photo (JPEG, PNG, HEIC), a track in the format of hikes, text, zero bytes only, or unknown data; `holds` is \
                determined by the bytes, not by the column. `| map` draws a track. --out writes the bytes as they are stored. `store rows` lists the numbers of \
                rows, and with --keys the conditions for rows without one.
                """,
            .positional("table", .text, "table").completing(.knownWithin(SQLNames.word)),
            .positional("column", .text, "column").completing(.knownWithin(SQLNames.word)),
            .optional("row", .integer(Int.min...Int.max), "SQLite's row number"),
            .option("where", .text, "condition in SQL that selects the row, instead of its number"),
            .option("store", .text, "open store by name, or a file; default: the store in use")
                .completing(.openStoresAndFiles),
            .option("out", .outputFile, "file to write"),
            .flag("force", "overwrite an existing file"),
            output: .value("blob, or text"), effect: .reads,
            examples: [
                .init(
                    "a blob of two bytes", "store blob huts photo 1 | get holds", after: StoreExample.huts,
                    gives: "unknown data"),
                .init(
                    "by a condition", "store blob huts photo --where \"name = 'Illa'\" | get bytes",
                    after: StoreExample.huts, gives: "2"),
            ],
            searchTerms: [
                "pictures in a database", "file in a cell", "photo", "track", "bytes", "preview", "binary",
                "photo column", "picture column",
            ]
        ) { context, table, column, row, condition, name, out, force in
            let store = try registry.chosen(name, context)
            let plan = try await TablePlan(table, in: store.connection)
            let quoted = try plan.column(column, parameter: "column")
            let chosen = try Self.row(row, condition, plan)
            let source = plan.source(where: chosen.condition)
            let list = "store rows \(Literal.text(table))"
            let functions = SQLFunctions.all(context)
            let kinds: [[SQLQuery.Cell]]
            do {
                // Rejects conditions that would do more than select a row.
                kinds = try await SQLQuery("SELECT typeof(\(quoted))\(source) LIMIT 2").run(
                    on: store.connection, functions: functions, isReadOnly: true, progress: context.progress
                ).rows
            } catch let error as RutterError where condition != nil {
                throw error.located(at: .parameter("where"))
            }
            guard kinds.count < 2 else {
                throw StoreErrors.row(
                    "several rows of \(table) match", at: .parameter("where"),
                    fix: "`\(list) --where \(Literal.text(chosen.condition))` lists them")
            }
            guard case .text(let kind)? = kinds.first?.first else {
                throw StoreErrors.row(
                    "\(table) has no \(chosen.words)", at: .parameter(row == nil ? "where" : "row"),
                    fix: "`\(list)` lists them")
            }
            let found = try await store.connection.stoppableRead { db, _ in
                for function in functions { db.add(function: function) }
                defer { for function in functions { db.remove(function: function) } }
                return try DatabaseValue.fetchOne(db, sql: "SELECT \(quoted)\(source) LIMIT 1")
            }
            guard kind == "blob", case .blob(let data)? = found?.storage else {
                throw StoreErrors.row(
                    "\(column) of \(chosen.words) is \(Self.words[kind] ?? "a number"), not a blob",
                    at: .parameter("column"),
                    fix: "`\(list) \(row.map { "--row \($0)" } ?? "--where …")` shows it")
            }
            guard let out else { return .object(StoreBlob(data, table: table, column: column, row: row)) }
            try OutputFile.write(data, to: out, force: force)
            return .text("\(data.count) bytes written to \(out.lastPathComponent)")
        }
    }

    /// The condition of the selected row, and its description.
    private static func row(
        _ row: Int?, _ condition: String?, _ plan: TablePlan
    ) throws -> (condition: String, words: String) {
        switch (row, condition) {
        case (let row?, nil): return ("\(try plan.number()) = \(row)", "row \(row)")
        case (nil, let condition?): return (condition, "row where \(condition)")
        default:
            throw StoreErrors.row(
                row == nil ? "a row is required" : "a row number and --where cannot be combined",
                at: .parameter(row == nil ? "row" : "where"),
                fix: "`store rows \(Literal.text(plan.name)) --keys` lists the rows")
        }
    }

    /// SQLite's names of value types other than numbers.
    private static let words = ["null": "NULL", "text": "text"]
}
