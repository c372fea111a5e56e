import CivilTime
import Geodesy
import Pictures
import PluginKit

/// An event as a row.
struct EventRow: DomainObject {
    static let columns = ["time", "event", "direction", "text", "along", "distance", "haptic", "at"]

    let event: GuidanceEvent
    /// The first fix's time, for the field `elapsed`.
    let start: Timestamp
    let words: SpokenText

    var typeName: String { "guidanceEvent" }
    var fieldNames: [String] { Self.columns + ["elapsed", "fix"] }
    var summary: String { "\(event.kind.rawValue): \(words.text(event))" }

    func field(_ name: String) -> Value? {
        switch name {
        case "time": .date(event.time)
        case "event": .text(event.kind.rawValue)
        case "direction": Value(event.direction) { .text($0.rawValue) }
        case "text": .text(words.text(event))
        case "along": .quantity(.metres(event.along))
        case "distance": .quantity(.metres(event.distance))
        case "haptic": Value(Haptic(event)) { .text($0.rawValue) }
        case "at": .coordinate(event.coordinate.withoutAltitude)
        case "elapsed": .quantity(Quantity(event.time.seconds(since: start), .duration))
        case "fix": .integer(event.fix)
        default: nil
        }
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
