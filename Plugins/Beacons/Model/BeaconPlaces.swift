import PluginKit

/// The names of beacons, for `place find`.
struct BeaconPlaces: NamedPlaces {
    let source = "beacons"
    let areReferences = true
    /// A beacon ranks above a path of the same name.
    private static let rank = 2

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        let beacons = try BeaconStore.accompanying(context)?.load().beacons ?? []
        return query.matches(
            among: beacons.map {
                NamedPlace(
                    name: $0.name, kind: "beacon", source: source, coordinate: $0.coordinate, rank: Self.rank)
            })
    }
}
