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
struct FixRow: FieldedObject {
    let sample: GuidanceRun.Sample
    let start: Timestamp

    var typeName: String { "fix" }
    var summary: String { Literal.coordinate(fix.coordinate.withoutAltitude) }
    private var fix: PositionFix { sample.walk.fix }

    static let fields = FieldTable<Self> {
        Field(column: "elapsed") { .quantity(Quantity($0.fix.time.seconds(since: $0.start), .duration)) }
        Field(column: "at") { .coordinate($0.fix.coordinate.withoutAltitude) }
        Field(column: "along") { .quantity(.metres($0.sample.along)) }
        Field(column: "truth") { Value($0.sample.walk.trueAlong) { .quantity(.metres($0)) } }
        Field(column: "distance") { .quantity(.metres($0.sample.distance)) }
        Field(column: "remaining") { .quantity(.metres($0.sample.remaining)) }
        Field(column: "offRoute") { .boolean($0.sample.isOffRoute) }
        Field("time") { .date($0.fix.time) }
        Field("accuracy") { Value($0.fix.accuracy) { .quantity(.metres($0)) } }
        Field("speed") { Value($0.fix.speed) { .quantity(.metresPerSecond($0)) } }
        Field("course") { Value($0.fix.course) { .quantity(.degrees($0)) } }
        Field("trueAt") { Value($0.sample.walk.truth) { .coordinate($0.withoutAltitude) } }
        Field("leg") { .integer($0.sample.leg) }
    }
}
