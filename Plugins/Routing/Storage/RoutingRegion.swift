import Cartography
import Foundation
import Geodesy
import PluginKit
import Synchronization

/// An open region: its graph in memory, and the costs computed for profiles.
package final class RoutingRegion: Sendable {
    package let name: String
    package let database: URL
    package let graph: RoutingGraph
    /// The rows of `routing_metadata`.
    package var metadata: [String: String] { graph.metadata }
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

    /// The topographic map, opened on first use. Throws `E-MAP-FEATURES` for a region that was imported
    /// without one.
    func map() throws(RutterError) -> MapSource {
        if let known = prepared.withLock({ $0.map }) { return known }
        let map = try MapSource(database)
        prepared.withLock { $0.map = map }
        return map
    }

    /// Opens a region. The graph of a workspace region is cached in a file, so that it opens faster the
    /// next time; nothing is written beside a foreign one.
    package init(_ database: URL, isOwn: Bool) throws {
        let files = RegionFiles(database: database)
        self.database = database
        self.isOwn = isOwn
        name = files.name
        stamp = files.stamp
        if let stamp, isOwn, let image = MemoryImage.mapped(files.graph, stamp: stamp),
            let found = RoutingGraph(mapped: image)
        {
            image.onDamage { try? Self.readGraph(files, stamp: stamp).image }
            graph = found
            return
        }
        graph = try Self.readGraph(files, stamp: isOwn ? stamp : nil)
    }

    /// Reads the graph from the database. A copy is written for the next start if there is a stamp.
    private static func readGraph(_ files: RegionFiles, stamp: UInt64?) throws -> RoutingGraph {
        let graph = try RegionDatabase.read(files.database) {
            try GraphReader.read($0, file: files.database.lastPathComponent, stamp: stamp ?? 0)
        }
        if stamp != nil { try? RegionFiles.replace(files.graph, with: graph.image) }
        return graph
    }

    /// The box around all nodes, with a margin for coordinates beside the outermost ways; `nil` for an empty
    /// graph.
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

    /// The graph with the costs of a profile; cached.
    package func weighted(_ profile: CostProfile) -> WeightedGraph {
        if let known = prepared.withLock({ $0.weighted[profile] }) { return known }
        let made =
            stored(profile).map { WeightedGraph(graph, profile: profile, stored: $0) }
            ?? WeightedGraph(graph, profile: profile)
        return prepared.withLock { prepared in
            if prepared.weighted.count >= Self.profilesKept { prepared.weighted = [:] }
            prepared.weighted[profile] = prepared.weighted[profile] ?? made
            return made
        }
    }

    /// The hierarchy with the costs of a profile, read from its file or built.
    package func hierarchy(_ profile: CostProfile) throws -> HierarchyCosts {
        if let known = prepared.withLock({ $0.costs[profile] }) { return known }
        let (hierarchy, weighted) = (try hierarchy(), weighted(profile))
        let made =
            weighted.stored.map { HierarchyCosts(hierarchy, weighted, stored: $0) }
            ?? keep(HierarchyCosts(hierarchy, weighted))
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
        if let found = storedHierarchy() { return found }
        let made = try Hierarchy(graph)
        // A copy for the next start; if it cannot be written, the hierarchy is rebuilt then.
        if stamp != nil, isOwn { try? RegionFiles.replace(files.hierarchy, with: made.image) }
        return made
    }

    private var files: RegionFiles { RegionFiles(database: database) }

    /// The hierarchy beside the database, if there is one.
    private func storedHierarchy() -> Hierarchy? {
        if let known = prepared.withLock({ $0.hierarchy }) { return known }
        guard let stamp, isOwn, let image = MemoryImage.mapped(files.hierarchy, stamp: stamp),
            let found = Hierarchy(mapped: image, of: graph)
        else { return nil }
        image.onDamage { [graph, files] in
            guard let made = try? Hierarchy(graph).image else { return nil }
            try? RegionFiles.replace(files.hierarchy, with: made)
            return made
        }
        return prepared.withLock { prepared in
            let hierarchy = prepared.hierarchy ?? found
            prepared.hierarchy = hierarchy
            return hierarchy
        }
    }

    /// The stored costs of a profile, if there are any.
    private func stored(_ profile: CostProfile) -> StoredCosts? {
        guard isOwn, stamp != nil, let hierarchy = storedHierarchy(),
            let key = CostsKey(profile, graph: graph, hierarchy: hierarchy),
            let image = MemoryImage.mapped(files.costs(key), stamp: key.stamp),
            let found = StoredCosts(image, key: key, graph: graph, hierarchy: hierarchy)
        else { return nil }
        image.onDamage { [graph, files] in
            let made = StoredCosts.image(
                of: HierarchyCosts(hierarchy, WeightedGraph(graph, profile: profile)), key: key)
            try? RegionFiles.replace(files.costs(key), with: made)
            return made
        }
        return found
    }

    /// Stores computed data beside the database for the next start; failures are ignored.
    private func keep(_ costs: HierarchyCosts) -> HierarchyCosts {
        if isOwn, stamp != nil { files.keep(costs) }
        return costs
    }

    /// Whether data that was read is damaged and could not be rebuilt.
    var isDamaged: Bool {
        if graph.image.damage != nil { return true }
        return prepared.withLock { prepared in
            prepared.hierarchy?.image.damage != nil
                || prepared.weighted.values.contains { $0.stored?.image.damage != nil }
        }
    }

    /// Maximum number of profiles whose costs are in memory.
    private static let profilesKept = 8
}

/// The open regions of a session: each is read once and kept until its database changes.
final class RegionLibrary: Sendable {
    private let open = Mutex<[URL: RoutingRegion]>([:])

    init() {}

    /// The region of a database.
    func region(_ database: URL, isOwn: Bool) throws -> RoutingRegion {
        let stamp = RegionFiles(database: database).stamp
        if let known = open.withLock({ $0[database] }), known.stamp == stamp, stamp != nil, !known.isDamaged {
            return known
        }
        let region = try RoutingRegion(database, isOwn: isOwn)
        open.withLock { $0[database] = region }
        return region
    }

    /// Closes a region, for example after its removal.
    func close(_ database: URL) { open.withLock { $0[database] = nil } }

    /// Closes all regions.
    func closeAll() { open.withLock { $0 = [:] } }
}
