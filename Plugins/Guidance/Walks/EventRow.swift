import CivilTime
import Geodesy
import Pictures
import PluginKit

/// An event as a row.
struct EventRow: FieldedObject {
    let event: GuidanceEvent
    /// The first fix's time, for the field `elapsed`.
    let start: Timestamp
    let words: SpokenText

    var typeName: String { "guidanceEvent" }
    var summary: String { "\(event.kind.rawValue): \(words.text(event))" }

    static let fields = FieldTable<Self> {
        Field(column: "time") { .date($0.event.time) }
        Field(column: "event") { .text($0.event.kind.rawValue) }
        Field(column: "direction") { Value($0.event.direction) { .text($0.rawValue) } }
        Field(column: "text") { .text($0.words.text($0.event)) }
        Field(column: "along") { .quantity(.metres($0.event.along)) }
        Field(column: "distance") { .quantity(.metres($0.event.distance)) }
        Field(column: "haptic") { Value(Haptic($0.event)) { .text($0.rawValue) } }
        Field(column: "at") { .coordinate($0.event.coordinate.withoutAltitude) }
        Field("elapsed") { .quantity(Quantity($0.event.time.seconds(since: $0.start), .duration)) }
        Field("fix") { .integer($0.event.fix) }
    }
}

extension EventRow: MapDrawable {
    var mapFeatures: [MapFeature] { [GuidanceDrawing.pin(event)] }
}

/// A fix as a row.
struct FixRow: DomainObject {
    static let columns = ["elapsed", "at", "along", "truth", "distance", "remaining", "offRoute"]

    let sample: GuidanceRun.Sample
    let start: Timestamp

    var typeName: String { "fix" }
    var fieldNames: [String] {
        Self.columns + ["time", "accuracy", "speed", "course", "trueAt", "leg"]
    }
    var summary: String { Literal.coordinate(sample.walk.fix.coordinate.withoutAltitude) }

    func field(_ name: String) -> Value? {
        let fix = sample.walk.fix
        return switch name {
        case "elapsed": .quantity(Quantity(fix.time.seconds(since: start), .duration))
        case "at": .coordinate(fix.coordinate.withoutAltitude)
        case "along": .quantity(.metres(sample.along))
        case "distance": .quantity(.metres(sample.distance))
        case "remaining": .quantity(.metres(sample.remaining))
        case "offRoute": .boolean(sample.isOffRoute)
        case "time": .date(fix.time)
        case "accuracy": Value(fix.accuracy) { .quantity(.metres($0)) }
        case "speed": Value(fix.speed) { .quantity(.metresPerSecond($0)) }
        case "course": Value(fix.course) { .quantity(.degrees($0)) }
        case "trueAt": Value(sample.walk.truth) { .coordinate($0.withoutAltitude) }
        case "truth": Value(sample.walk.trueAlong) { .quantity(.metres($0)) }
        case "leg": .integer(sample.leg)
        default: nil
        }
    }
}
