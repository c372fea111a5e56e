import Geodesy
import Pictures
import PluginKit

/// Provides a region's trail network as the base map of other features.
struct NetworkBaseMap: BaseMap {
    let regions: RegionChoice
    /// Whose data a routing graph is made of.
    private static let attribution = "© OpenStreetMap contributors"

    func baseMap(of box: BoundingBox, region name: String?, context: Context) throws -> BaseMapContent? {
        guard let databases = regions.accompanying(context) else { return nil }
        // The region that a picture names may be gone: then the one that knows the place is drawn.
        let named = name.flatMap { try? regions.region($0, of: databases) }
        guard let region = try named ?? regions.known(at: box, databases, context) else { return nil }
        let lines = NetworkDrawing(graph: region.graph).features(in: box)
        if lines.isEmpty { return nil }
        return BaseMapContent(drawing: Network(mapFeatures: lines), attribution: Self.attribution)
    }

    /// The lines as a thing to draw.
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
            guard let region = try? region(name, of: databases), let box = region.reach else { continue }
            let size = box.latitudeSpan * box.longitudeSpan
            guard box.overlaps(place), size < best?.size ?? .infinity else { continue }
            best = (region, size)
        }
        return best?.region
    }
}

extension BoundingBox {
    fileprivate func overlaps(_ other: BoundingBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return longitudeRanges.contains { mine in other.longitudeRanges.contains { mine.overlaps($0) } }
    }
}
