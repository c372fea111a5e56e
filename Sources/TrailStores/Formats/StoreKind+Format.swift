import PluginKit

extension StoreKind {
    /// What a database holds, by its tables.
    public static func recognise(_ connection: StoreConnection) throws -> StoreKind {
        try StoreRecognition(connection).kind
    }

    /// The main table of a waypoint or hike store, and its columns: those that it cannot be read without, then the others.
    var layout: (table: String, needed: [String], further: [String])? {
        StoreFormat.of(self)?.tables.first.map { ($0.name, $0.needed, $0.further) }
    }
}
