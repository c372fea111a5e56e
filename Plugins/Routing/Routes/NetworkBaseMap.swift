import Cartography
import Geodesy
import Pictures
import PluginKit

/// Provides a region's trail network as the base map of other features.
struct NetworkBaseMap: BaseMap {
    let regions: RegionChoice
    /// The attribution of a routing graph.
    private static let attribution = "© OpenStreetMap contributors"

    func regionNames(_ context: Context) -> [String] { regions.accompanying(context)?.names ?? [] }

    func baseMap(of box: BoundingBox, region name: String?, context: Context) throws -> BaseMapContent? {
        guard let databases = regions.accompanying(context) else { return nil }
        // The region named by a picture may be missing: then the smallest that intersects the box is drawn.
        let named = name.flatMap { try? regions.region($0, of: databases) }
        guard let region = try named ?? regions.known(at: box, databases, context) else { return nil }
        let map: MapSource
        do {
            map = try region.map()
        } catch {
            // A region without a map is drawn from its ways.
            guard error.code == MapErrors.lacking.code else { throw error }
            let lines = NetworkDrawing(graph: region.graph).features(in: box)
            if lines.isEmpty { return nil }
            // A sketch has no attribution, and no source file to add map features from.
            let isSketch = region.metadata[RegionMetadata.source] == "sketch"
            let reason =
                "the region \(region.name) has no map features; region import FILE --name \(region.name) --update adds them"
            return BaseMapContent(
                drawing: Network(mapFeatures: lines), attribution: isSketch ? "" : Self.attribution,
                notice: isSketch ? nil : reason)
        }
        return BaseMapContent(
            drawing: RegionGround(
                region: region.name, graph: region.graph, box: box, source: map,
                units: ScaleUnits(context.environment.units)),
            attribution: map.attribution)
    }

    /// The topographic map, with the network for formats that cannot draw it.
    private struct RegionGround: DomainObject, MapDrawable, RegionMap {
        let region: String
        let graph: RoutingGraph
        let box: BoundingBox
        let source: MapSource
        let units: ScaleUnits
        /// Looked up lazily: a tile needs none of them.
        var mapFeatures: [MapFeature] { NetworkDrawing(graph: graph).features(in: box) }
        var typeName: String { "map" }
        var fieldNames: [String] { ["ways"] }
        var summary: String { "a topographic map" }
        func field(_ name: String) -> Value? { name == "ways" ? .integer(mapFeatures.count) : nil }
        var attribution: String { source.attribution }
        func covers(_ box: BoundingBox) -> Bool { source.covers(box) }
        func drawing(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing {
            try source.drawing(of: view, style: MapStyle.named(style), blocked: blocked, units: units)
        }
        func slopes(of view: MapView, style: String, blocked: LabelObstacles) throws -> GroundDrawing? {
            guard source.hasRelief else { return nil }
            return try source.drawing(
                of: view, style: MapStyle.named(style), blocked: blocked, units: units, hasSlopes: true)
        }
        func sketch(of view: MapView) throws -> TerminalGround? {
            try source.sketch(of: view, units: units)
        }
    }

    /// The lines as a drawable value.
    private struct Network: DomainObject, MapDrawable {
        let mapFeatures: [MapFeature]
        var typeName: String { "network" }
        var fieldNames: [String] { ["ways"] }
        var summary: String { "\(mapFeatures.count) ways" }
        func field(_ name: String) -> Value? { name == "ways" ? .integer(mapFeatures.count) : nil }
    }
}

extension RegionChoice {
    /// The smallest region that intersects a box; `nil` if none does.
    fileprivate func known(
        at place: BoundingBox, _ databases: RegionDatabases, _ context: Context
    ) throws -> RoutingRegion? {
        var best: (region: RoutingRegion, size: Double)?
        for name in databases.names {
            try context.checkCancelled()
            // An unreadable region is skipped; its own commands report why.
            guard let region = try? region(name, of: databases) else { continue }
            // The map reaches farther than the ways.
            guard let box = (try? region.map().bounds) ?? region.reach else { continue }
            let size = box.latitudeSpan * box.longitudeSpan
            guard box.meets(place), size < best?.size ?? .infinity else { continue }
            best = (region, size)
        }
        return best?.region
    }
}
