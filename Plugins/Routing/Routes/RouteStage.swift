import Foundation
import Geodesy
import Pictures
import PluginKit

/// A day of a route: a part of its line, with a name, that is exported and drawn as a route is.
struct RouteStage: DomainObject, MapDrawable {
    static let columns = ["stage", "to", "kind", "distance", "duration", "gain", "loss", "water", "at"]
    static let declaredFieldNames: [String]? =
        columns + ["hours", "end", "name", "sources", "coordinates", "route"]
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
    /// Without `at`, which would make a point of the day.
    var fieldNames: [String] { Self.columns.filter { $0 != "at" } + ["end"] + Self.dataFieldNames }
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

    func field(_ name: String) -> Value? {
        switch name {
        case "stage": .integer(number)
        case "name": .text(self.name)
        case "to": Value(to, Value.text)
        case "kind": Value(kind, Value.text)
        case "hours": Value(hours) { .text($0.text) }
        case "distance": .quantity(.metres(distance))
        case "duration": .quantity(.seconds(seconds.rounded()))
        case "gain": Value(climb?.gain) { .quantity(.climb($0)) }
        case "loss": Value(climb?.loss) { .quantity(.climb($0)) }
        case "water": Value(water) { .integer($0.count) }
        case "sources": Value(water) { Self.table($0) }
        case "route": .object(asRoute)
        case "at", "end": Value(line.last?.withoutAltitude, Value.coordinate)
        case "coordinates": .list(line.map(Value.coordinate))
        default: nil
        }
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
