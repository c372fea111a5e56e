import PluginKit
import TrailStores

/// `store schema`
struct StoreSchema: LegacyCommand {
    let registry: StoreRegistry

    private static let sql = Parameter.flag("sql", "the statements that made it, as text")
    private static let columns = ["table", "column", "type", "required", "default", "key"]

    let spec = CommandSpec(
        "store schema", "tells the tables and columns of a store",
        details: "`key` is the column's place in the primary key.",
        parameters: [StoreOptions.store.spec, sql.spec], output: .rows(columns), effect: .reads,
        examples: [
            .init("an empty store", "store schema :memory: | count", gives: "0")
        ], searchTerms: ["columns", "tables", "create"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let store = try registry.chosen(try arguments[StoreOptions.store], context)
        if try arguments[Self.sql] {
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
                    column.keyPlace == 0 ? .nothing : .integer(column.keyPlace),
                ]
            })
    }
}
