/// The kinds of store, told apart by what is in them.
public enum StoreKind: String, Sendable, CaseIterable {
    /// `waypoints.db`
    case waypoints
    /// `routes.db`: recorded hikes.
    case hikes
    /// `planned_routes`: a folder of JSON files, one a route.
    case plannedRoutes = "planned-routes"
    /// `<region>.routing.db`: a routing graph.
    case routing
    /// `<region>.mbtiles`: map tiles.
    case mbtiles
    /// `gtfs.db`: a transit schedule in the pattern model.
    case transit
    /// `locations.json`: places one hears.
    case locations
    /// `tones.json`: how they sound.
    case tones
    /// What an embedded cloud keeps.
    case cloud
    /// What the link between watch and phone keeps.
    case link
    /// Any other SQLite database.
    case other

    /// The name used in the session.
    public var name: String { rawValue }

    /// What a database holds, by its tables.
    public static func recognise(_ connection: StoreConnection) throws -> StoreKind {
        try StoreRecognition(connection).kind
    }
}
