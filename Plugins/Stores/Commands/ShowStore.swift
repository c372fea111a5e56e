import Foundation
import PluginKit
import TrailStores

/// `store info`
struct ShowStore: CommandProvider {
    let registry: StoreRegistry

    var name: String { "store info" }

    var command: Command {
        Command(
            name, "show a store's kind, file and row counts",
            details: """
                `reads` is `a copy` if another program's write-ahead log or journal is included: the copy \
                is a snapshot of the time of opening; opening again makes a new one. Of a store larger than 64 MB, only the log is \
                copied (`the file and a copy of its log`); if the other program writes the log back into the file meanwhile, \
                commands fail instead of mixing two states. `sure` shows how certain the kind is: \
                certain, likely, or unsure if the file is damaged or too empty.
                """,
            StoreOptions.store,
            output: .value("record"), effect: .reads,
            examples: [
                .init("an empty one", "store info :memory: | get kind", gives: "other")
            ], searchTerms: ["sqlite", "tables", "journal", "wal"]
        ) { context, store in
            let store = try registry.chosen(store, context)
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
