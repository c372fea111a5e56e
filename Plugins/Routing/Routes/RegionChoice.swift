import Foundation
import Geodesy
import PluginKit
import Synchronization

/// The regions of a session, and which of them a command means.
final class RegionChoice: Sendable {
    private let library = RegionLibrary()
    /// Databases that were removed, kept for `undo` until the session ends.
    private let removed = Mutex<[URL]>([])

    /// The workspace's folder of regions, to make or remove one. Throws `E-STORE-KIND` while a foreign store is in use.
    func folder(_ context: Context) throws -> RegionFolder {
        RegionFolder(at: try context.ownStore(.routing))
    }

    /// The regions that a command works on. Throws `E-STORE-KIND` while a store of another kind is in use.
    func databases(_ context: Context) throws -> RegionDatabases {
        RegionDatabases(try context.activeStore(.routing))
    }

    /// The regions for what accompanies something else, if there are any.
    func accompanying(_ context: Context) -> RegionDatabases? {
        context.accompanyingStore(.routing).map(RegionDatabases.init)
    }

    /// A region by name.
    func region(_ name: String, of databases: RegionDatabases) throws -> RoutingRegion {
        try library.region(try databases.database(name), isOwn: databases.isOwn)
    }

    /// The region that a command means: the one named, else the only one, else the first candidate.
    func region(
        named name: String?, around places: [Coordinate], _ context: Context
    ) throws -> RoutingRegion {
        let all = try candidates(named: name, around: places, context)
        guard let first = all.first else { throw RouteErrors.noData("no region covers all coordinates") }
        return first
    }

    /// The regions that may answer: the one named, else the only one, else all around the places, the smallest first.
    func candidates(
        named name: String?, around places: [Coordinate], _ context: Context
    ) throws -> [RoutingRegion] {
        let databases = try databases(context)
        if let name { return [try region(name, of: databases)] }
        let names = databases.names
        guard let first = names.first else {
            throw RouteErrors.noData(
                "no routing data yet", fix: "region import FILE.osm.pbf, or region sketch")
        }
        if names.count == 1 { return [try region(first, of: databases)] }
        var around: [(region: RoutingRegion, size: Double)] = []
        for name in names {
            try context.checkCancelled()
            let region = try region(name, of: databases)
            guard let box = region.reach, places.allSatisfy(box.contains) else { continue }
            around.append((region, box.latitudeSpan * box.longitudeSpan))
        }
        guard !around.isEmpty else {
            throw RouteErrors.noData(
                "none of the \(names.count) regions covers all coordinates",
                fix: "import one that does, join two with `region join`, or choose one with --region: "
                    + names.joined(separator: ", "))
        }
        return around.sorted { ($0.size, $0.region.name) < ($1.size, $1.region.name) }.map(\.region)
    }

    /// Forgets a region whose file goes away.
    func close(_ database: URL) { library.close(database) }

    /// Keeps a removed database until the session ends.
    func keep(_ database: URL) { removed.withLock { $0.append(database) } }

    /// Forgets all regions, and deletes the removed ones.
    func closeAll() {
        library.closeAll()
        for url in removed.withLock({ $0 }) { FileManager.default.discard(url) }
    }
}
