import Foundation
import PluginKit
import TrailStores

/// `store export`
struct ExportTables: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store export" }

    var command: Command {
        Command(
            name, "write the rows of tables as CSV or JSON",
            details: """
                Lossless: CSV has text in quotes, NULL as an empty cell, blobs as x'…' and inf for infinity; JSON has an array \
                of objects for each table, blobs as {"blob": "base64"}. `store import` reads both back unchanged. CSV has \
                one table, JSON any number.
                """,
            .positional("format", ExchangeOptions.format, "csv or json"),
            .positional("out", .outputFile, "file to write"),
            .options("table", .text, "table; default: the main one for CSV, all for JSON").completing(
                .known(SQLNames.word)),
            ExchangeOptions.store,
            .flag("force", "overwrite an existing file"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an empty store has no tables",
                    "expect-error E-STORE-SCHEMA store export csv x.csv --store :memory:")
            ],
            searchTerms: [
                "table to csv", "dump a database", "export a table", "to csv", "csv", "json", "dump", "save",
            ]
        ) { context, format, out, tables, store, force in
            let store = try registry.chosen(store, context)
            var tables = tables
            if tables.isEmpty { tables = try await ExchangeOptions.tables(store, format) }
            guard let first = tables.first else {
                throw StoreErrors.schema("\(store.name) has no tables", at: .parameter("store"))
            }
            if format == .csv, tables.count > 1 {
                throw ExchangeErrors.text(
                    "CSV contains one table, not \(tables.count)", at: .parameter("format"),
                    fix: "--table \(Literal.text(first)), or json")
            }
            let (data, rows) = try await TableExchange.export(
                store.connection, tables: tables, as: format, progress: context.progress)
            try OutputFile.write(data, to: out, force: force)
            let subject = tables.count == 1 ? first : "\(tables.count) tables"
            return .text(
                "\(rows, of: "row") of \(subject) written to \(out.lastPathComponent)")
        }
    }
}

/// `store import`
struct ImportTables: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store import" }

    var command: Command {
        Command(
            name, "add the rows of a CSV or JSON file to a store",
            details: """
                Columns are matched by name; missing columns take their defaults. All rows are added, or none if one \
                is rejected. The store must be one of your own, or open with --write. `undo` does not revert it.
                """,
            .positional("format", ExchangeOptions.format, "csv or json"),
            .positional("file", .inputFile, "CSV or JSON file, from `store export` or another program"),
            .option("table", .text, "table to add to, if the file does not name it").completing(
                .known(SQLNames.word)),
            ExchangeOptions.store,
            .flag("force", "replace rows that have the same key"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "into a copy",
                    "store import csv n.csv --table n; sql 'SELECT sum(a) AS total FROM n'",
                    after: [
                        "store copy :memory: copy.db", "store open copy.db --write",
                        "sql 'CREATE TABLE n(a)'",
                        "'a\n1\n2' | save n.csv",
                    ], gives: "2 rows imported into copy\ntotal\n    3")
            ], searchTerms: ["csv", "json", "load", "insert", "fill a table", "insert rows"]
        ) { context, format, file, table, store, replace in
            let store = try registry.writable(store, context)
            guard try SQLiteFile.State(file).size <= ExchangeOptions.largestFile,
                let data = FileManager.default.contents(atPath: file.path)
            else {
                throw CommonErrors.fileAccess(
                    "\(file.lastPathComponent) cannot be read", at: .parameter("file"))
            }
            var table = table
            if table == nil, format == .csv {
                let tables = try await ExchangeOptions.tables(store, format)
                if tables.count == 1 { table = tables[0] }
            }
            let rows = try await TableExchange.load(
                data, as: format, into: store.connection, table: table, replacing: replace,
                progress: context.progress)
            return .text("\(rows, of: "row") imported into \(store.name)")
        }
    }
}

/// Parameters shared by import and export.
enum ExchangeOptions {
    static let format = ParameterType<TableFormat>.choice(of: TableFormat.self) { format in
        format == .csv ? "comma-separated values, one table" : "an array of objects for each table"
    }
    static let store = Parameter.option(
        "store", .text, "open store by name, or a file; default: the store in use"
    )
    .completing(.openStoresAndFiles)
    /// Maximum size of an imported file, in bytes.
    static let largestFile = 1 << 30

    /// The default tables: the main one of the kind for CSV, else all.
    static func tables(_ store: ChosenStore, _ format: TableFormat) async throws -> [String] {
        let kind = try StoreRecognition(store.connection).kind
        let all = try await StoreFacts(store.connection).tables.map(\.name)
        let main = StoreFormat.of(kind)?.tables.first?.name
        if format == .csv, let main, all.contains(main) { return [main] }
        return try await store.connection.stoppableRead { db, _ in try StoreContents.tables(db) }
    }
}
