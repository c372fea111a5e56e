import Geodesy
import Pictures
import PluginKit

/// A place found, as a value.
struct PlaceObject: DomainObject, MapDrawable {
    static let columns = ["name", "kind", "at", "source", "score"]
    static let nearColumns = ["name", "kind", "at", "source", "distance", "score"]
    private static let color = Color(0x7B2CBF)

    let place: NamedPlace
    /// Quality of the match, 0…1.
    let score: Double
    /// Metres from the coordinate given with `--near`.
    var distance: Double?
    /// The whole address, if a server returned it.
    var address: String?

    var typeName: String { "place" }

    var fieldNames: [String] {
        (distance == nil ? Self.columns : Self.nearColumns) + (address == nil ? [] : ["address"])
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(place.name)
        case "kind": .text(place.kind)
        case "at": .coordinate(place.coordinate)
        case "source": .text(place.source)
        case "score": .number((score * 100).rounded() / 100)
        case "distance": distance.map { .quantity(.metres($0)) }
        case "address": address.map(Value.text)
        default: nil
        }
    }

    var summary: String { place.name }

    var mapFeatures: [MapFeature] {
        [
            .point(
                place.coordinate,
                MapPointStyle(color: Self.color, radius: 5, symbol: "o", label: place.name))
        ]
    }
}
