import PluginKit
import TrailStores

/// `store schema`
struct StoreSchema: CommandProvider {
    let registry: StoreRegistry

    private static let columns = ["table", "column", "type", "required", "default", "key"]

    var name: String { "store schema" }

    var command: Command {
        Command(
            name, "list the tables and columns of a store",
            details: "`key` is the column's position in the primary key.",
            StoreOptions.store,
            .flag("sql", "return the CREATE statements as text"),
            output: .rows(Self.columns), effect: .reads,
            examples: [
                .init("an empty store", "store schema :memory: | count", gives: "0")
            ], searchTerms: ["columns", "tables", "create"]
        ) { context, store, sql in
            let store = try registry.chosen(store, context)
            if sql {
                let statements = try await ColumnFacts.statements(store.connection)
                return .text(statements.map { $0 + ";" }.joined(separator: "\n"))
            }
            let facts = try await ColumnFacts.all(store.connection)
            return .table(
                columns: Self.columns,
                cells: facts.map { column in
                    [
                        .text(column.table), .text(column.column), .text(column.type),
                        .boolean(column.isRequired),
                        Value(column.defaultText) { .text($0) },
                        column.keyPosition == 0 ? .nothing : .integer(column.keyPosition),
                    ]
                })
        }
    }
}
