import Foundation
import GRDB
import PluginKit
import Synchronization
import TrailStores

/// The named places of the imported regions, for the search: their ways, peaks, huts, villages.
///
/// A region that was imported before names were kept has none, until it is imported again.
final class RegionPlaces: NamedPlaces {
    let source = "regions"
    private let regions: RegionChoice
    /// Open databases, each until its file changes.
    private let open = Mutex<[URL: Opened]>([:])

    private struct Opened: Sendable {
        let stamp: UInt64
        let connection: StoreConnection
        let hasNames: Bool
    }

    init(regions: RegionChoice) { self.regions = regions }

    func places(matching query: PlaceQuery, context: Context) async throws -> [NamedPlace] {
        var found: [NamedPlace] = []
        for name in regions.folder(context).names {
            try context.checkCancelled()
            let database = try regions.folder(context).database(name)
            do {
                found += try search(database, name, query)
            } catch let error as RutterError {
                // A damaged region is told by `region list`; the names of the others are found all the same.
                context.log.warning("\(name): \(error.message)")
            }
        }
        if let entry = context.stores.current(kind: RegionChoice.storeKind) {
            found += try search(entry.url, entry.name, query)
        }
        return found
    }

    private func search(_ database: URL, _ name: String, _ query: PlaceQuery) throws -> [NamedPlace] {
        guard let opened = try opened(database), opened.hasNames else { return [] }
        return try opened.connection.read { db in
            try PlaceNameSearch(query, in: db, source: name).places()
        }
    }

    private func opened(_ database: URL) throws -> Opened? {
        guard let stamp = RegionFiles(database: database).stamp else { return nil }
        if let known = open.withLock({ $0[database] }), known.stamp == stamp { return known }
        let connection = try StoreConnection(database, access: .foreign)
        let made = Opened(
            stamp: stamp, connection: connection,
            hasNames: try connection.read { db in try PlaceNameTable.exists(in: db) })
        open.withLock { $0[database] = made }
        return made
    }
}
