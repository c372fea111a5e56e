import GRDB
import Geodesy
import PluginKit
import TrailStores

/// The labels of the waypoints, for the search.
struct WaypointPlaces: NamedPlaces {
    let library: ActiveStore<WaypointStore>
    let source = "waypoints"
    let areReferences = true
    /// A user's own place ranks above a path of the same name.
    private static let rank = 2

    func places(matching query: PlaceQuery, context: Context) async throws -> [NamedPlace] {
        guard let store = try library.storeIfFits(context) else { return [] }
        return try store.connection.read { db in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT label, category, latitude, longitude FROM waypoints WHERE label <> ''")
            var found: [PlaceMatch] = []
            while let row = try rows.next() {
                // A foreign store can hold any type in any column.
                guard let label = String.fromDatabaseValue(row[0]),
                    let latitude = Double.fromDatabaseValue(row[2]),
                    let longitude = Double.fromDatabaseValue(row[3])
                else { continue }
                let place = NamedPlace(
                    name: label, kind: String.fromDatabaseValue(row[1]) ?? "waypoint", source: source,
                    coordinate: Coordinate(latitude: latitude, longitude: longitude), rank: Self.rank)
                guard place.coordinate.isValid else { continue }
                if let match = query.match(place, folded: PlaceWords.fold(label)) { found.append(match) }
            }
            return query.best(found).map(\.place)
        }
    }
}
