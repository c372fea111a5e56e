import Geodesy
import PluginKit

/// The surroundings of a coordinate in a region.
package struct RegionSurroundings {
    /// Maximum distance in metres of an address that is used for a place.
    private static let addressRadius = 60.0
    /// Maximum distance in metres of a street.
    private static let streetRadius = 500.0
    /// Maximum distance in metres of other objects nearby.
    private static let aroundRadius = 1000.0
    /// Maximum number of other objects nearby.
    private static let around = 8

    private let places: OpenPlaces
    private let graph: RoutingGraph

    package init(_ places: OpenPlaces, _ graph: RoutingGraph) { (self.places, self.graph) = (places, graph) }

    package func surroundings(of place: Coordinate) throws -> PlaceSurroundings {
        var result = PlaceSurroundings(source: places.name)
        let near = places.locations.nearest(to: place, within: Self.aroundRadius, limit: 4 * Self.around) {
            !Self.lines.contains($0) && $0 != PlaceIndex.addressKind && $0 != "postcode"
        }
        result.around = try near.prefix(Self.around).map {
            PlaceSurroundings.Item(try places.place($0.number), distance: $0.distance)
        }
        let address = places.locations.nearest(to: place, within: Self.addressRadius, limit: 1) {
            $0 == PlaceIndex.addressKind
        }
        result.address = try address.first.map {
            PlaceSurroundings.Item(try places.place($0.number), distance: $0.distance)
        }
        result.street = street(place)
        let areas = try places.areas(around: place)
        result.town = NamedArea.municipality(of: areas) { areas[$0].contains(place) }
        if result.town == nil { result.nearestTown = try settlement(place) }
        return result
    }

    /// Kinds of objects without a single location, which are found along their length, such as streets.
    private static let lines = Set(NamedKinds.highways.keys).subtracting(["bus_stop", "pedestrian"]).union([
        "path", "track", "footway", "service", "cycleway", "steps", "bridleway", "river", "stream",
    ]).union(NamedKinds.territories)

    /// Roads without addresses.
    private static let throughRoads: Set<String> = ["motorway", "motorway_link", "trunk", "trunk_link"]

    /// Whether the name of a way is only its number, such as `B 3`.
    private static func isNumber(_ name: String) -> Bool {
        name.contains(where: \.isNumber)
            && name.split { !$0.isLetter }.allSatisfy { $0.count < 3 }
    }

    private func street(_ place: Coordinate) -> PlaceSurroundings.Item? {
        let snapper = Snapper(graph) { edge in
            guard let name = graph.name(of: edge) else { return false }
            let highway = graph.kind(of: edge).highway ?? ""
            // A path may be called GR 11; a road has a number beside its name, or instead of one.
            if NamedKinds.highways[highway] != nil, Self.isNumber(name) { return false }
            return !Self.throughRoads.contains(highway)
        }
        guard let found = snapper.nearest(to: place, within: Self.streetRadius, limit: 1).first,
            let name = graph.name(of: found.edge)
        else { return nil }
        let kind = graph.kind(of: found.edge).highway ?? WayNames.unknownKind
        return PlaceSurroundings.Item(
            NamedPlace(
                name: name, kind: kind, source: places.name, coordinate: found.point,
                rank: NamedKinds.highways[kind] ?? NamedKinds.otherHighway), distance: found.distance)
    }

    private func settlement(_ place: Coordinate) throws -> PlaceSurroundings.Item? {
        let found = places.locations.nearest(to: place, within: 20_000, limit: 50) {
            Settlement.kinds.contains($0)
        }
        let candidates = try found.map { try places.place($0.number) }
            .map {
                Settlement(
                    PlaceIndex.Entry(name: $0.name, kind: $0.kind, rank: $0.rank, coordinate: $0.coordinate))
            }.sorted { $0.coordinate.latitude < $1.coordinate.latitude }
        guard let best = Settlement.nearest(to: place, candidates) else { return nil }
        return PlaceSurroundings.Item(
            NamedPlace(
                name: best.name, kind: best.kind, source: places.name, coordinate: best.coordinate, rank: 2),
            distance: best.coordinate.distance(to: place))
    }
}
