import Foundation
import Geodesy
import Pictures
import PluginKit

/// A day of a route: a part of its line, with a name, that is exported and drawn as a route is.
struct RouteStage: FieldedObject, MapDrawable {
    static let dataFieldNames = ["name", "coordinates"]

    /// Its number, from 1 on.
    let number: Int
    /// The name of the whole route.
    let route: String
    /// Where it ends; `nil` on the way.
    let to: String?
    /// The kind of lodging at its end.
    let kind: String?
    /// When the lodging is there; `nil` where the map does not say.
    var hours: PlaceHours?
    /// Metres.
    let distance: Double
    let seconds: Double
    /// Metres; `nil` where a height is unknown.
    let climb: (gain: Double, loss: Double)?
    let line: [Coordinate]
    /// Places with water and metres to them from the start; `nil` where the map is not known.
    let water: [(metres: Double, place: StageSplit.Lodging)]?
    /// The day as a route of its own.
    let asRoute: Route

    var typeName: String { "stage" }
    var summary: String { "\(name), \(Literal.quantity(.metres(distance)))" }

    var name: String { Self.name(of: route, number: number, to: to) }

    /// The columns of some days: with the hours of their ends if any has some.
    static func columns(of stages: [RouteStage]) -> [String] {
        guard stages.contains(where: { $0.hours != nil }) else { return columns }
        return columns.flatMap { $0 == "kind" ? [$0, "hours"] : [$0] }
    }

    /// The name of a day of a route.
    static func name(of route: String, number: Int, to: String?) -> String {
        "\(route), day \(number)" + (to.map { " to \($0)" } ?? "")
    }

    private var end: Coordinate? { line.last?.withoutAltitude }

    static let fields = FieldTable<Self> {
        Field(column: "stage") { .integer($0.number) }
        Field(column: "to") { Value($0.to, Value.text) }
        Field(column: "kind") { Value($0.kind, Value.text) }
        Field(column: "distance") { .quantity(.metres($0.distance)) }
        Field(column: "duration") { .quantity(.seconds($0.seconds.rounded())) }
        Field(column: "gain") { Value($0.climb?.gain) { .quantity(.climb($0)) } }
        Field(column: "loss") { Value($0.climb?.loss) { .quantity(.climb($0)) } }
        Field(column: "water") { Value($0.water) { .integer($0.count) } }
        Field("hours", where: { $0.hours != nil }) { Value($0.hours) { .text($0.text) } }
        // Where it ends, in a list under the name that is common to all lists. A day alone does not show it, since it would be
        // drawn and exported as a point.
        Field(column: "at", where: { _ in false }) { Value($0.end, Value.coordinate) }
        Field("end") { Value($0.end, Value.coordinate) }
        Field(hidden: "sources") { Value($0.water) { Self.table($0) } }
        Field(hidden: "route") { .object($0.asRoute) }
        Field("name") { .text($0.name) }
        Field("coordinates") { .list($0.line.map(Value.coordinate)) }
    }

    private static func table(_ water: [(metres: Double, place: StageSplit.Lodging)]) -> Value {
        .table(
            columns: ["after", "name", "kind", "hours", "at"],
            cells: water.map { source in
                [
                    .quantity(.metres(source.metres)), .text(source.place.name), .text(source.place.kind),
                    Value(source.place.hours) { .text($0.text) }, .coordinate(source.place.at),
                ]
            })
    }

    var mapFeatures: [MapFeature] {
        let ends = [line.first, line.last].compactMap { $0?.withoutAltitude }
        guard ends.count == 2 else { return [] }
        return [.route(line)] + WayEnds.signs([ends], finish: to ?? "end")
    }
}
