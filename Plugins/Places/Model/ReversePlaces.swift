import Geodesy
import PluginKit

/// What lies at a coordinate, from all sources; and a name for it.
struct ReversePlaces: PlaceNaming {
    /// What is known of a coordinate; `nil` where no region covers it.
    func surroundings(of place: Coordinate, context: Context) async throws -> PlaceSurroundings? {
        for source in context.all((any NamedPlaces).self) {
            try context.checkCancelled()
            if let found = try await source.surroundings(of: place, context: context) { return found }
        }
        return nil
    }

    func name(of place: Coordinate, context: Context) async throws -> String? {
        try await surroundings(of: place, context: context).flatMap(Self.name)
    }

    /// The most telling: a peak or hut that it is at, the address, the street, what is near it, the town.
    static func name(_ found: PlaceSurroundings) -> String? {
        func within(_ metres: Double, _ item: PlaceSurroundings.Item) -> Bool { item.distance <= metres }
        let town = found.town ?? found.nearestTown?.place.name
        func inTown(_ name: String) -> String { town.map { "\(name), \($0)" } ?? name }
        let landmark = found.around.first {
            within(PlaceSettings.namingRadius, $0) && $0.place.rank < PlaceSettings.lesserRank
        }
        if let landmark { return landmark.place.name }
        if let address = found.address, within(PlaceSettings.addressRadius, address) {
            return inTown(address.place.name)
        }
        if let street = found.street, within(PlaceSettings.streetRadius, street) {
            return inTown(street.place.name)
        }
        let beside = found.around.filter { within(PlaceSettings.besideRadius, $0) }
            .min { ($0.place.rank, $0.distance) < ($1.place.rank, $1.distance) }
        if let beside { return "near \(beside.place.name)" }
        return town.map { found.town == nil ? "near \($0)" : $0 }
    }
}
