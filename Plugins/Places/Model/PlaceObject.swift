import Geodesy
import Pictures
import PluginKit

/// A place found, as a value.
struct PlaceObject: DomainObject, MapDrawable {
    static let columns = ["name", "kind", "at", "source", "score"]
    private static let color = Color(0x7B2CBF)

    let match: PlaceMatch
    /// The whole address, if a server returned it.
    var address: String?
    /// Metres along a way to its nearest point, for places beside one.
    var along: Double?

    init(_ match: PlaceMatch, address: String? = nil) {
        (self.match, self.address) = (match, address)
    }

    /// The columns of some places: the town if any is known, the distance if requested, and the quality of
    /// matches if any is only similar.
    static func columns(of places: [PlaceObject], near: Bool) -> [String] {
        var columns = columns
        if near { columns.insert("distance", at: 4) }
        if places.contains(where: { $0.match.context != nil }) { columns.insert("town", at: 2) }
        if places.contains(where: \.match.quality.manner.isGuess) { columns.append("match") }
        return columns
    }

    static let declaredFieldNames: [String]? = columns + ["distance", "town", "match", "address", "along"]

    var typeName: String { "place" }

    var fieldNames: [String] {
        Self.columns(of: [self], near: match.distance != nil).filter { $0 != "match" } + ["match"]
            + (address == nil ? [] : ["address"]) + (along == nil ? [] : ["along"])
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "name": .text(match.name)
        case "kind": .text(match.kind)
        case "at": .coordinate(match.coordinate)
        case "source": .text(match.source)
        case "town": match.context.map(Value.text)
        case "score": .number((match.score * 100).rounded() / 100)
        case "match": .text(match.quality.manner.rawValue)
        case "distance": match.distance.map(Self.distance)
        case "along": along.map(Self.distance)
        case "address": address.map(Value.text)
        default: nil
        }
    }

    var summary: String { match.name }

    /// A distance rounded to a tenth of a metre.
    static func distance(_ metres: Double) -> Value { .quantity(.metres((metres * 10).rounded() / 10)) }

    var mapFeatures: [MapFeature] {
        [
            .point(
                match.coordinate,
                MapPointStyle(color: Self.color, radius: 5, symbol: "o", label: match.name))
        ]
    }
}
