import Geodesy
import PlacesPlugin
import PluginKit
import PluginTestKit

/// A plugin that offers some names, as regions and stops do.
struct FixedPlaces: Plugin, NamedPlaces {
    let name = "fixed"
    let summary = "a few names"
    let version = "1.0"
    let commands: [any CommandProvider] = [TakePlace()]
    var capabilities: [any Capability] { [self] }
    let source = "fixed"

    static let all = [
        NamedPlace(
            name: "Refugi de Juclà", kind: "alpine_hut", source: "fixed", coordinate: at(42.6, 1.72), rank: 3),
        NamedPlace(
            name: "Refugi de Sorteny", kind: "alpine_hut", source: "fixed", coordinate: at(42.62, 1.56),
            rank: 3),
        NamedPlace(
            name: "Pic de Juclar", kind: "peak", source: "fixed", coordinate: at(42.61, 1.74), rank: 3),
        NamedPlace(name: "Arinsal", kind: "village", source: "fixed", coordinate: at(42.57, 1.48), rank: 2),
        NamedPlace(
            name: "Carrer Major", kind: "residential", source: "fixed", coordinate: at(42.5, 1.5), rank: 6),
        NamedPlace(
            name: "Carrer Major", kind: "residential", source: "fixed", coordinate: at(42.55, 1.6), rank: 6),
        NamedPlace(name: "Soldeu", kind: "village", source: "fixed", coordinate: at(42.576, 1.667), rank: 2),
        NamedPlace(name: "Soldeu", kind: "station", source: "fixed", coordinate: at(42.577, 1.668), rank: 5),
        NamedPlace(
            name: "Carrer de la Unió", kind: "residential", source: "fixed", coordinate: at(42.5, 1.51),
            rank: 6,
            otherNames: ["Sixth Lane"]),
        NamedPlace(
            name: "Carrer de la Unió 12", kind: "address", source: "fixed", coordinate: at(42.5, 1.511),
            rank: 8),
        NamedPlace(
            name: "Mas Vell 3", kind: "address", source: "fixed", coordinate: at(42.577, 1.66), rank: 8,
            context: "Soldeu"),
        NamedPlace(
            name: "Roc", kind: "office", source: "fixed", coordinate: at(42.577, 1.66), rank: 7,
            otherNames: ["Roc Mas Vell 3"], context: "Soldeu"),
    ]

    private static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    func places(matching query: PlaceQuery, context: Context) async throws -> [PlaceMatch] {
        query.matches(among: Self.all)
    }
}

/// `take PLACE`: a command that takes a place, as many do.
struct TakePlace: CommandProvider {
    var command: Command {
        Command(
            "take", "gives the place it was given",
            .positional("place", .namedPlace, "a place"),
            output: .value("record"), effect: .pure,
            examples: [.init("a place", "take 1,1")]
        ) { _, place in
            return .record(
                Record([("at", .coordinate(place.coordinate)), ("name", Value(place.name, Value.text))]))
        }
    }
}
