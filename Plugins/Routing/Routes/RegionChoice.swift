import Foundation
import Geodesy
import PluginKit
import Synchronization

/// The regions of a session, and the choice of a command's region.
final class RegionChoice: Sendable {
    private let library = RegionLibrary()
    /// Databases that were removed, kept for `undo` until the session ends.
    private let removed = Mutex<[URL]>([])

    /// The workspace's folder of regions, for creating and removing. Throws `E-STORE-KIND` while a foreign
    /// store is in use.
    func folder(_ context: Context) throws -> RegionFolder {
        RegionFolder(at: try context.ownStore(.routing))
    }

    /// The regions that a command works on. Throws `E-STORE-KIND` while a store of another kind is in use.
    func databases(_ context: Context) throws -> RegionDatabases {
        RegionDatabases(try context.activeStore(.routing))
    }

    /// The regions as a supplement to other features; `nil` if there are none.
    func accompanying(_ context: Context) -> RegionDatabases? {
        context.accompanyingStore(.routing).map(RegionDatabases.init)
    }

    /// A region by name.
    func region(_ name: String, of databases: RegionDatabases) throws -> RoutingRegion {
        try library.region(try databases.database(name), isOwn: databases.isOwn)
    }

    /// The region of a command: the one named, else the only one, else the first candidate.
    func region(
        named name: String?, around places: [Coordinate], _ context: Context
    ) throws -> RoutingRegion {
        let all = try candidates(named: name, around: places, context)
        guard let first = all.first else { throw RouteErrors.noData("no region covers all coordinates") }
        return first
    }

    /// The candidate regions: the one named, else the only one, else all that contain the coordinates, the
    /// smallest first.
    func candidates(
        named name: String?, around places: [Coordinate], _ context: Context
    ) throws -> [RoutingRegion] {
        let databases = try databases(context)
        if let name { return [try region(name, of: databases)] }
        let names = databases.names
        guard let first = names.first else {
            throw RouteErrors.noData(
                "no routing data yet",
                fix: "region import FILE.osm.pbf, or region sketch; `sample` brings a region to try")
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

    /// Closes a region whose file is removed.
    func close(_ database: URL) { library.close(database) }

    /// Keeps a removed database until the session ends.
    func keep(_ database: URL) { removed.withLock { $0.append(database) } }

    /// Closes all regions and deletes the removed ones.
    func closeAll() {
        library.closeAll()
        for url in removed.withLock({ $0 }) { FileManager.default.discard(url) }
    }
}
