import PluginKit

extension Value {
    /// The same value; errors that occur while its rows are made go through `change`.
    func mappingStreamErrors(_ change: @escaping @Sendable (RutterError) -> RutterError) -> Value {
        guard case .rows(let rows) = self, rows.isLazy else { return self }
        return .rows(rows.mapErrors { change(Session.asRutterError($0)) })
    }

    /// Makes all rows of a lazy value, and drops them.
    func runThrough() throws {
        if case .rows(let rows) = self, rows.isLazy { try rows.forEach { _ in } }
    }
}
