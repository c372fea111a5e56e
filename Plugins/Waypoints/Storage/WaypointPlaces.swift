import GRDB
import Geodesy
import PluginKit
import Synchronization
import TrailStores

/// The labels of the waypoints, for the search. The index is cached until the store changes.
final class WaypointPlaces: NamedPlaces {
    private let library: ActiveStore<WaypointStore>
    let source = "waypoints"
    let areReferences = true
    /// A user's own place ranks above a path of the same name.
    private static let rank = 2
    private let known = Mutex<(state: State, list: PlaceList)?>(nil)

    /// Identifies the state of a store.
    private struct State: Equatable {
        let file: String
        /// Changes with writes by other connections.
        let version: Int
        /// Changes with writes by this connection.
        let changes: Int
    }

    init(library: ActiveStore<WaypointStore>) { self.library = library }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        guard let store = try library.storeIfFits(context) else { return [] }
        return try store.connection.read { db in
            let state = State(
                file: store.connection.url.path,
                version: try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0, changes: db.totalChangesCount)
            if let known = known.withLock({ $0 }), known.state == state { return known.list.matches(query) }
            let list = PlaceList(try places(db))
            known.withLock { $0 = (state, list) }
            return list.matches(query)
        }
    }

    private func places(_ db: Database) throws -> [NamedPlace] {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT label, category, latitude, longitude FROM waypoints WHERE label <> ''")
        var places: [NamedPlace] = []
        while let row = try rows.next() {
            // A foreign store can hold any type in any column.
            guard let label = String.fromDatabaseValue(row[0]),
                let latitude = Double.fromDatabaseValue(row[2]),
                let longitude = Double.fromDatabaseValue(row[3])
            else { continue }
            let place = NamedPlace(
                name: label, kind: String.fromDatabaseValue(row[1]) ?? "waypoint", source: source,
                coordinate: Coordinate(latitude: latitude, longitude: longitude), rank: Self.rank)
            if place.coordinate.isValid { places.append(place) }
        }
        return places
    }
}
