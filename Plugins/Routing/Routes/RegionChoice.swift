import Foundation
import Geodesy
import PluginKit
import Synchronization

/// The regions of a session, and which of them a command means.
final class RegionChoice: Sendable {
    /// The kind of open stores that hold a routing graph.
    static let storeKind = "routing"

    private let library = RegionLibrary()
    /// Databases that were removed, kept for `undo` until the session ends.
    private let removed = Mutex<[URL]>([])

    /// The workspace's regions.
    func folder(_ context: Context) -> RegionFolder { RegionFolder(workspace: context.workspace) }

    /// A region by name.
    func region(_ name: String, _ context: Context) throws -> RoutingRegion {
        try library.region(try folder(context).database(name), isOwn: true)
    }

    /// The region that a command means: the one named, else the store in use, else the one around the places. Of
    /// several around them the smallest is meant.
    func region(
        named name: String?, around places: [Coordinate], _ context: Context
    ) throws -> RoutingRegion {
        if let name { return try region(name, context) }
        if let open = context.stores.current(kind: Self.storeKind) {
            return try library.region(open.url, isOwn: false)
        }
        let names = folder(context).names
        guard let first = names.first else {
            throw RouteErrors.noData(
                "there is no routing data yet", fix: "region import FILE.osm.pbf, or region sketch")
        }
        if names.count == 1 { return try region(first, context) }
        var around: [(region: RoutingRegion, size: Double)] = []
        for name in names {
            try context.checkCancelled()
            let region = try region(name, context)
            guard let box = region.reach, places.allSatisfy(box.contains) else { continue }
            around.append((region, box.latitudeSpan * box.longitudeSpan))
        }
        if let best = around.min(by: { $0.size < $1.size }) { return best.region }
        throw RouteErrors.noData(
            "none of the \(names.count) regions lies around all of the places",
            fix: "import one that does, or name one with --region: \(names.joined(separator: ", "))")
    }

    /// Forgets a region whose file goes away.
    func close(_ database: URL) { library.close(database) }

    /// Keeps a removed database until the session ends.
    func keep(_ database: URL) { removed.withLock { $0.append(database) } }

    /// Forgets all regions, and deletes the removed ones.
    func closeAll() {
        library.closeAll()
        for url in removed.withLock({ $0 }) { try? FileManager.default.removeItem(at: url) }
    }
}
