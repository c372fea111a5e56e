import Geodesy
import PluginKit

/// The surroundings of a coordinate in a region.
package struct RegionSurroundings: PlaceSurroundings {
    /// Maximum distance in metres of an address that is used for a coordinate.
    private static let addressRadius = 60.0
    /// Maximum distance in metres of a street.
    private static let streetRadius = 500.0
    /// Maximum distance in metres of other objects nearby.
    private static let aroundRadius = 1000.0
    /// Maximum number of other objects nearby.
    private static let around = 8

    /// Maximum distance in metres of the nearest settlement.
    private static let settlementRadius = 20_000.0
    /// Maximum number of settlements from which the nearest is chosen.
    private static let settlements = 50

    private let coordinate: Coordinate
    private let places: OpenPlaces
    private let graph: RoutingGraph

    package let around: [SurroundingPlace]

    /// Throws `E-REGION-DAMAGED` like the properties if names are damaged and cannot be rebuilt.
    package init(of coordinate: Coordinate, _ places: OpenPlaces, _ graph: RoutingGraph) throws {
        (self.coordinate, self.places, self.graph) = (coordinate, places, graph)
        around = try places.nearest(to: coordinate, within: Self.aroundRadius, limit: Self.around) {
            !Self.lines.contains($0) && $0 != PlaceIndex.addressKind && $0 != "postcode"
        }
    }

    package var source: String { places.name }

    package var address: SurroundingPlace? {
        get throws {
            try places.nearest(to: coordinate, within: Self.addressRadius, limit: 1) {
                $0 == PlaceIndex.addressKind
            }.first
        }
    }

    package var town: String? {
        get throws { try places.municipality(of: coordinate) }
    }

    /// Kinds of lines and areas, which have no single coordinate, such as streets.
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

    package var street: SurroundingPlace? {
        let snapper = Snapper(graph, where: { graph.hasName($0) }) { edge in
            guard let name = graph.name(of: edge) else { return false }
            let highway = graph.kind(of: edge).highway ?? ""
            // A path may be called GR 11; a road has a number beside its name, or instead of one.
            if NamedKinds.highways[highway] != nil, Self.isNumber(name) { return false }
            return !Self.throughRoads.contains(highway)
        }
        guard let found = snapper.nearest(to: coordinate, within: Self.streetRadius, limit: 1).first,
            let name = graph.name(of: found.edge)
        else { return nil }
        let kind = graph.kind(of: found.edge).highway ?? WayNames.unknownKind
        return SurroundingPlace(
            NamedPlace(
                name: name, kind: kind, source: places.name, coordinate: found.point,
                rank: NamedKinds.highways[kind] ?? NamedKinds.otherHighway), distance: found.distance)
    }

    package var nearestTown: SurroundingPlace? {
        get throws {
            guard try town == nil else { return nil }
            let found = try places.nearest(
                to: coordinate, within: Self.settlementRadius, limit: Self.settlements
            ) {
                Settlement.kinds.contains($0)
            }
            let candidates = found.map(\.place)
                .map {
                    Settlement(
                        PlaceIndex.Entry(
                            name: $0.name, kind: $0.kind, rank: $0.rank, coordinate: $0.coordinate))
                }.sorted { $0.coordinate.latitude < $1.coordinate.latitude }
            guard let best = Settlement.nearest(to: coordinate, candidates) else { return nil }
            return SurroundingPlace(
                NamedPlace(
                    name: best.name, kind: best.kind, source: places.name, coordinate: best.coordinate,
                    rank: 2), distance: best.coordinate.distance(to: coordinate))
        }
    }
}
