import PluginKit

extension StoreKind {
    /// What a database holds, by its tables.
    public static func recognise(_ connection: StoreConnection) throws -> StoreKind {
        try StoreRecognition(connection).kind
    }
}
