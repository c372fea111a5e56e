import PluginKit
import TrailStores

/// The tables and columns of a store, for `store show`.
enum StoreSchema {
    private static let columns = ["table", "column", "type", "required", "default", "key"]

    static func statements(of store: ChosenStore) async throws -> Value {
        let statements = try await ColumnFacts.statements(store.connection)
        return .text(statements.map { $0 + ";" }.joined(separator: "\n"))
    }

    static func columns(of store: ChosenStore) async throws -> Value {
        let facts = try await ColumnFacts.all(store.connection)
        return .table(
            columns: columns,
            cells: facts.map { column in
                [
                    .text(column.table), .text(column.column), .text(column.type),
                    .boolean(column.isRequired), Value(column.defaultText) { .text($0) },
                    column.keyPosition == 0 ? .nothing : .integer(column.keyPosition),
                ]
            })
    }
}
