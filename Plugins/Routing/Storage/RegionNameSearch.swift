import Foundation
import GRDB
import Geodesy
import PluginKit
import Synchronization
import TrailStores

/// The named places of the regions, for the search: their ways, peaks, huts, villages.
///
/// Databases of apps, and regions that were imported before names were kept, have only their ways.
final class RegionNameSearch: NamedPlaces {
    let source = "regions"
    private let regions: RegionChoice
    /// Open databases, each until its file changes.
    private let open = Mutex<[URL: Opened]>([:])

    private struct Opened: Sendable {
        let stamp: UInt64
        let connection: StoreConnection
        /// The ways of a database without a table of names; `nil` where there is one.
        let ways: PlaceList?
    }

    init(regions: RegionChoice) { self.regions = regions }

    func places(matching query: PlaceQuery, context: Context) async throws -> [NamedPlace] {
        var found: [NamedPlace] = []
        guard let databases = regions.accompanying(context) else { return [] }
        for name in databases.names {
            try context.checkCancelled()
            let database = try databases.database(name)
            do {
                found += try search(database, name, query)
            } catch let error as RutterError {
                // `region list` reports a damaged region; the search skips it.
                context.log.warning("\(name): \(error.message)")
            }
        }
        return found
    }

    private func search(_ database: URL, _ name: String, _ query: PlaceQuery) throws -> [NamedPlace] {
        guard let opened = try opened(database, name) else { return [] }
        if let ways = opened.ways { return ways.matches(query) }
        return try opened.connection.read { db in
            try PlaceNameSearch(query, in: db, source: name).places()
        }
    }

    private func opened(_ database: URL, _ name: String) throws -> Opened? {
        guard let stamp = RegionFiles(database: database).stamp else { return nil }
        if let known = open.withLock({ $0[database] }), known.stamp == stamp { return known }
        let connection = try StoreConnection(database, access: .foreign)
        let ways = try connection.read { db in
            try PlaceNameTable.exists(in: db) ? nil : PlaceList(Self.ways(db, source: name))
        }
        let made = Opened(stamp: stamp, connection: connection, ways: ways)
        open.withLock { $0[database] = made }
        return made
    }

    /// Each named way once: where the longest edge that bears the name begins.
    private static func ways(_ db: Database, source: String) throws -> [NamedPlace] {
        try RegionSchema.check(db, file: source)
        let rows = try Row.fetchCursor(db, sql: RegionSchema.selectNamedWays)
        var ways: [NamedPlace] = []
        while let row = try rows.next() {
            guard let name = String.fromDatabaseValue(row[0]),
                let latitude = Double.fromDatabaseValue(row[2]),
                let longitude = Double.fromDatabaseValue(row[3])
            else { continue }
            let highway = String.fromDatabaseValue(row[1]) ?? ""
            let at = Coordinate(latitude: latitude, longitude: longitude)
            guard at.isValid else { continue }
            ways.append(
                NamedPlace(
                    name: name, kind: highway.isEmpty ? WayNames.unknownKind : highway, source: source,
                    coordinate: at, rank: NamedKinds.highways[highway] ?? NamedKinds.otherHighway))
        }
        return ways
    }
}
