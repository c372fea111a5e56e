import Geodesy
import Pictures
import PluginKit

/// A named place of a region, as a value.
struct PlaceObject: DomainObject, MapDrawable {
    static let fields = ["name", "kind", "at", "region"]
    private static let color = Color(0x9C36B5)

    let named: NamedPlace
    let region: String

    var typeName: String { "place" }
    var fieldNames: [String] { Self.fields }
    var summary: String { "\(named.kind) \(named.name)" }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(named.name)
        case "kind": .text(named.kind)
        case "at": .coordinate(named.at)
        case "region": .text(region)
        default: nil
        }
    }

    var mapFeatures: [MapFeature] {
        [.point(named.at, MapPointStyle(color: Self.color, radius: 4, symbol: "o", label: named.name))]
    }
}

/// `@name` for the places and ways of the workspace's regions, where nothing else is called so.
struct PlaceReferences: ReferenceResolving {
    let kind = "place"
    let isFallback = true
    let regions: RegionChoice

    func resolve(_ text: String, context: Context) async throws -> [Reference] {
        let found = try all(context).flatMap { region, places in
            PlaceSearch.named(text, in: places).map { PlaceObject(named: $0, region: region) }
        }
        // A village counts more than the street that is named after it.
        let places = found.filter { $0.named.kind != RegionPlaces.way }
        return (places.isEmpty ? found : places).map(Self.reference)
    }

    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference] {
        guard !prefix.isEmpty else { return [] }
        let wanted = prefix.lowercased()
        let found = try all(context).flatMap { region, places in
            places.lazy.filter { $0.name.lowercased().hasPrefix(wanted) }.prefix(limit)
                .map { PlaceObject(named: $0, region: region) }
        }
        return found.prefix(limit).map(Self.reference)
    }

    /// The places of every region that can be read.
    private func all(_ context: Context) throws -> [(region: String, places: [NamedPlace])] {
        try regions.folder(context).names.compactMap { name in
            try context.checkCancelled()
            guard let region = try? regions.region(name, context), let places = try? region.places() else {
                return nil
            }
            return (name, places)
        }
    }

    private static func reference(_ place: PlaceObject) -> Reference {
        let at = Literal.coordinate(place.named.at)
        return Reference(
            name: place.named.name, detail: "\(place.named.kind) in \(place.region), \(at)", object: place)
    }
}
