import Cartography
import Foundation
import GRDB
import Geodesy
import PluginKit
import Synchronization

/// An open region: its graph in memory, and the costs computed for profiles.
package final class RoutingRegion: Sendable {
    package let name: String
    package let database: URL
    package let graph: RoutingGraph
    /// The rows of `routing_metadata`.
    package let metadata: [String: String]
    /// The stamp of the database that the graph was read from; it changes with the database.
    let stamp: UInt64?
    private let isOwn: Bool
    private let prepared = Mutex(Prepared())

    private struct Prepared: Sendable {
        var reach: BoundingBox?
        var hierarchy: Hierarchy?
        var weighted: [CostProfile: WeightedGraph] = [:]
        var costs: [CostProfile: HierarchyCosts] = [:]
        var map: MapSource?
    }

    /// The topographic map, opened once. Throws `E-MAP-FEATURES` for a region that was imported without one.
    func map() throws(RutterError) -> MapSource {
        if let known = prepared.withLock({ $0.map }) { return known }
        let map = try MapSource(database)
        prepared.withLock { $0.map = map }
        return map
    }

    /// Opens a region. Beside an own database the graph is kept in a file of its own, so that it opens faster the
    /// next time; beside a foreign one nothing is written.
    package init(_ database: URL, isOwn: Bool) throws {
        let files = RegionFiles(database: database)
        self.database = database
        self.isOwn = isOwn
        name = files.name
        stamp = files.stamp
        metadata = try RegionDatabase.read(database) { db in
            try RegionSchema.check(db, file: database.lastPathComponent)
            let rows = try Row.fetchAll(db, sql: "SELECT key, value FROM routing_metadata")
            return Dictionary(
                rows.map { (String.fromDatabaseValue($0[0]) ?? "", String.fromDatabaseValue($0[1]) ?? "") },
                uniquingKeysWith: { first, _ in first })
        }
        if let stamp, isOwn, let image = MemoryImage.mapped(files.graph, stamp: stamp),
            let found = RoutingGraph(mapped: image)
        {
            graph = found
            return
        }
        graph = try RegionDatabase.read(database) { [stamp] in
            try GraphReader.read($0, file: database.lastPathComponent, stamp: stamp ?? 0)
        }
        // A copy for the next start; without it the graph is read again.
        if stamp != nil, isOwn { try? RegionFiles.replace(files.graph, with: graph.image) }
    }

    /// The box around all nodes, with room for places beside the outermost ways; `nil` for an empty graph.
    package var reach: BoundingBox? {
        if let known = prepared.withLock({ $0.reach }) { return known }
        guard let tight = graph.bounds else { return nil }
        let radius = RoutingSettings.snapRadius
        let low = BoundingBox(
            center: Coordinate(latitude: tight.south, longitude: tight.west), radius: radius)
        let high = BoundingBox(
            center: Coordinate(latitude: tight.north, longitude: tight.east), radius: radius)
        let box = BoundingBox(south: low.south, west: low.west, north: high.north, east: high.east)
        prepared.withLock { $0.reach = box }
        return box
    }

    /// The graph with the costs of a profile; worked out once.
    package func weighted(_ profile: CostProfile) -> WeightedGraph {
        if let known = prepared.withLock({ $0.weighted[profile] }) { return known }
        let made = WeightedGraph(graph, profile: profile)
        return prepared.withLock { prepared in
            if prepared.weighted.count >= Self.profilesKept { prepared.weighted = [:] }
            prepared.weighted[profile] = prepared.weighted[profile] ?? made
            return made
        }
    }

    /// The hierarchy with the costs of a profile. It is read from beside the database, or made now.
    package func hierarchy(_ profile: CostProfile) throws -> HierarchyCosts {
        if let known = prepared.withLock({ $0.costs[profile] }) { return known }
        let made = HierarchyCosts(try hierarchy(), weighted(profile))
        return prepared.withLock { prepared in
            if prepared.costs.count >= Self.profilesKept { prepared.costs = [:] }
            prepared.costs[profile] = prepared.costs[profile] ?? made
            return made
        }
    }

    /// The order and shortcuts of the graph.
    package func hierarchy() throws -> Hierarchy {
        if let known = prepared.withLock({ $0.hierarchy }) { return known }
        let made = try readOrMakeHierarchy()
        prepared.withLock { $0.hierarchy = made }
        return made
    }

    private func readOrMakeHierarchy() throws -> Hierarchy {
        let file = RegionFiles(database: database).hierarchy
        if let stamp, isOwn, let image = MemoryImage.mapped(file, stamp: stamp) {
            let found = Hierarchy(image: image)
            if found.isSound(for: graph) { return found }
        }
        let made = try Hierarchy(graph)
        // A copy for the next start; without it the hierarchy is made again.
        if stamp != nil, isOwn { try? RegionFiles.replace(file, with: made.image) }
        return made
    }

    /// Profiles whose costs are kept at once.
    private static let profilesKept = 8
}

/// The regions of a session that are open: each is read once and kept until its database changes.
package final class RegionLibrary: Sendable {
    private let open = Mutex<[URL: RoutingRegion]>([:])

    package init() {}

    /// The region of a database.
    package func region(_ database: URL, isOwn: Bool) throws -> RoutingRegion {
        let stamp = RegionFiles(database: database).stamp
        if let known = open.withLock({ $0[database] }), known.stamp == stamp, stamp != nil { return known }
        let region = try RoutingRegion(database, isOwn: isOwn)
        open.withLock { $0[database] = region }
        return region
    }

    /// Forgets a region, as after its removal.
    package func close(_ database: URL) { open.withLock { $0[database] = nil } }

    /// Forgets all of them.
    package func closeAll() { open.withLock { $0 = [:] } }
}
