import Foundation
import PluginKit
import TrailStores

/// `store show`
struct ShowStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store show" }

    var command: Command {
        Command(
            name, "show a store's kind, file and row counts",
            details: """
                `reads` is `a copy` if another program's write-ahead log or journal is included: the copy \
                is a snapshot of the time of opening; opening again makes a new one. Of a store larger than 64 MB, only the log is \
                copied (`the file and a copy of its log`); if the other program writes the log back into the file meanwhile, \
                commands fail instead of mixing two states. `sure` shows how certain the kind is: \
                certain, likely, or unsure if the file is damaged or too empty.
                With --schema, `key` is the column's position in the primary key.
                """,
            StoreOptions.store,
            .flag("schema", "list its tables and columns instead"),
            .flag("sql", "return its CREATE statements as text instead"),
            output: .value("record, rows or text"), effect: .reads,
            examples: [
                .init("an empty one", "store show :memory: | get kind", gives: "other"),
                .init("its columns", "store show :memory: --schema | count", gives: "0"),
            ],
            searchTerms: [
                "tables of a database",
                "what is in a database", "which tables", "sqlite", "tables", "columns", "create", "schema",
                "info", "journal", "wal", "columns of a table", "how big is each table", "rows of each table",
                "tables of a file", "list the tables",
            ]
        ) { context, store, schema, sql in
            let store = try registry.chosen(store, context)
            if sql { return try await StoreSchema.statements(of: store) }
            if schema { return try await StoreSchema.columns(of: store) }
            let connection = store.connection
            let recognised = try StoreRecognition(connection)
            let facts = try await StoreFacts(connection)
            // Unknown if the store is in memory or was deleted.
            let size = (try? FileManager.default.attributesOfItem(atPath: connection.url.path)[.size]) as? Int
            let rows = facts.tables.map { ($0.name, Value($0.rows) { .integer($0) }) }
            let head: [(String, Value)] = [
                ("name", .text(store.name)), ("kind", .text(recognised.kind.name)),
                ("sure", .text(recognised.certainty.rawValue)), ("because", .text(recognised.reason)),
                ("path", .text(connection.url.path)),
            ]
            // Documents are read into a database in memory, whose pages and journal are not part of them.
            let file: [(String, Value)] =
                connection.recognition != nil
                ? []
                : [
                    ("bytes", Value(size) { .integer($0) }),
                    ("pageSize", .integer(facts.pageSize)), ("pages", .integer(facts.pages)),
                    ("encoding", .text(facts.encoding)), ("journal", .text(try connection.journalMode())),
                    ("userVersion", .integer(facts.userVersion)),
                ]
            let tail: [(String, Value)] = [
                ("access", .text(connection.access.isWritable ? "write" : "read")),
                ("reads", .text(Self.source(connection))), ("rows", .record(Record(rows))),
            ]
            return .record(Record(head + file + tail))
        }
    }

    private static func source(_ connection: StoreConnection) -> String {
        if connection.readsCopyOfLog { return "the file and a copy of its log" }
        return connection.readsCopy ? "a copy" : "the file"
    }
}
