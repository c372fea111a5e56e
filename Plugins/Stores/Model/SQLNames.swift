import PluginKit
import TrailStores

/// Completes names of tables and columns in SQL: from the store in use, or else from the own stores.
struct SQLNames: CompletionSource {
    /// The kind of words.
    static let word = "sql"
    let kind = SQLNames.word
    let registry: StoreRegistry

    private static let own = [StoreKind.waypoints, .hikes].map(\.fileName)

    func words(context: Context) -> [ParameterKind.Choice] {
        let names: [String?] = context.stores.current == nil ? Self.own : [nil]
        var seen: Set<String> = []
        return names.flatMap { name -> [ParameterKind.Choice] in
            // Completion shows readable names, and no errors.
            guard let store = try? registry.chosen(name, context) else { return [] }
            return ((try? ColumnFacts.allNow(store.connection)) ?? []).flatMap { column in
                [
                    ParameterKind.Choice(column.table, "table"),
                    ParameterKind.Choice(column.column, "\(column.table) \(column.type)"),
                ]
            }
        }.filter { !$0.word.isEmpty && seen.insert($0.word).inserted }
    }
}
