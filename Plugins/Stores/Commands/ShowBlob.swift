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
            name, "show what a blob holds, or write it to a file",
            details: """
                A photo (JPEG, PNG, HEIC), a track of the hikes' format, text, or data that is not known; `holds` says which, by the bytes and \
                not by the column. A track is drawn by `| map`. --out writes the bytes as they are stored. `store rows` lists the numbers of \
                rows.
                """,
            .positional("table", .text, "table").completing(.knownWithin(SQLNames.word)),
            .positional("column", .text, "column").completing(.knownWithin(SQLNames.word)),
            .positional("row", .integer(Int.min...Int.max), "SQLite's number of the row"),
            .option("store", .text, "open store by name, or a file; default: the store in use")
                .completing(.openStoresAndFiles),
            .option("out", .outputFile, "file to write"),
            .flag("force", "overwrite an existing file"),
            output: .value("blob, or text"), effect: .reads,
            examples: [
                .init(
                    "what two bytes hold", "store blob huts photo 1 | get holds", after: StoreExample.huts,
                    gives: "unknown data")
            ], searchTerms: ["photo", "track", "bytes", "preview", "binary"]
        ) { context, table, column, row, name, out, force in
            let store = try registry.chosen(name, context)
            let plan = try await TablePlan(table, in: store.connection)
            let quoted = try plan.column(column, parameter: "column")
            let sql = "SELECT \(quoted)\(plan.source(where: "\(try plan.number()) = ?"))"
            let found = try await store.connection.stoppableRead { db, _ in
                try DatabaseValue.fetchOne(db, sql: sql, arguments: [row])
            }
            guard let found else {
                throw StoreErrors.row(
                    "\(table) has no row \(row)", at: .parameter("row"),
                    fix: "`store rows \(Literal.text(table))` lists them")
            }
            guard case .blob(let data) = found.storage else {
                throw StoreErrors.row(
                    "\(column) of row \(row) is \(Self.kind(found)), not a blob", at: .parameter("column"),
                    fix: "`store rows \(Literal.text(table)) --row \(row)` shows it")
            }
            guard let out else { return .object(StoreBlob(data, table: table, column: column, row: row)) }
            try OutputFile.write(data, to: out, force: force)
            return .text("\(data.count) bytes written to \(out.lastPathComponent)")
        }
    }

    private static func kind(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: "NULL"
        case .string: "text"
        default: "a number"
        }
    }
}
