import Geodesy
import Pictures
import PluginKit

/// A place found, as a value.
struct PlaceObject: FieldedObject, MapDrawable {
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

    var typeName: String { "place" }

    static let fields = FieldTable<Self> {
        Field(column: "name") { .text($0.match.name) }
        Field(column: "kind") { .text($0.match.kind) }
        Field("town", where: { $0.match.context != nil }) { Value($0.match.context, Value.text) }
        Field(column: "at") { .coordinate($0.match.coordinate) }
        Field(column: "source") { .text($0.match.source) }
        Field("distance", where: { $0.match.distance != nil }) { Value($0.match.distance, Self.distance) }
        Field(column: "score") { .number(($0.match.score * 100).rounded() / 100) }
        Field("match") { .text($0.match.quality.manner.rawValue) }
        Field("address", where: { $0.address != nil }) { Value($0.address, Value.text) }
        Field("along", where: { $0.along != nil }) { Value($0.along, Self.distance) }
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
