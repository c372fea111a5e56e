import PluginKit

extension Value {
    /// The same value; errors thrown while its rows are computed pass through `change`.
    func mappingStreamErrors(_ change: @escaping @Sendable (RutterError) -> RutterError) -> Value {
        guard case .rows(let rows) = self, rows.isLazy else { return self }
        return .rows(rows.mapErrors { change(Session.asRutterError($0)) })
    }

    /// Computes all rows of a lazy value and discards them.
    func runThrough() throws {
        if case .rows(let rows) = self, rows.isLazy { try rows.forEach { _ in } }
    }
}
