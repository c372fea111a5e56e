import PluginKit

extension StoreKind {
    /// The kind of a database, from its tables.
    public static func recognise(_ connection: StoreConnection) throws -> StoreKind {
        try StoreRecognition(connection).kind
    }
}
