import Geodesy
import Pictures
import PluginKit

/// A journey as a value: the content of a file.
struct JourneyObject: DomainObject, MapDrawable, ProfileDrawable, ClimbingObject {
    let journey: ExportJourney

    var typeName: String { "journey" }
    var fieldNames: [String] {
        [
            "name", "kind", "start", "end", "distance", "gain", "loss", "tracks", "routes", "segments",
            "points", "waypoints", "comment", "author", "at",
        ] + (journey.activity == nil ? [] : ["activity"]) + (journey.photos.isEmpty ? [] : ["photos"])
            + (journey.warnings.isEmpty ? [] : ["warnings"])
    }
    var summary: String { journey.title }

    func field(_ name: String) -> Value? {
        let facts = journey.facts
        switch name {
        case "name": return .text(journey.name)
        case "kind": return .text(journey.kind.rawValue)
        case "comment": return .text(journey.comment)
        case "activity": return journey.activity.map { .text($0) }
        case "warnings": return .list(journey.warnings.map { .text($0) })
        case "author": return Value(journey.author) { .text($0) }
        case "start": return Value(journey.start) { .date($0) }
        case "end": return Value(journey.end) { .date($0) }
        case "distance": return Value(facts.distance) { .quantity(.metres($0)) }
        case "gain": return Value(facts.gain) { .quantity(.altitude($0.rounded())) }
        case "loss": return Value(facts.loss) { .quantity(.altitude($0.rounded())) }
        case "tracks": return .integer(journey.tracks.count)
        case "routes": return .integer(journey.routes.count)
        case "segments": return .integer(journey.lines.reduce(0) { $0 + $1.segments.count })
        case "points":
            return .integer(journey.lines.reduce(0) { $0 + $1.segments.reduce(0) { $0 + $1.count } })
        case "waypoints": return .integer(journey.places.count)
        case "photos": return .integer(journey.photos.count)
        case "at":
            let place = journey.lines.lazy.flatMap(\.segments).joined().first?.coordinate
            return Value((place ?? journey.places.first?.point.coordinate)?.withoutAltitude) {
                .coordinate($0)
            }
        default: return nil
        }
    }

    var mapFeatures: [MapFeature] { JourneyDrawing.lines(journey) + JourneyDrawing.pins(journey) }
    var profileTitle: String { journey.name }
    var profileLength: Double? { JourneyProfile(journey)?.length }
    var climbFacts: Record {
        let facts = journey.facts
        return Record([
            ("gain", Value(facts.gain) { .quantity(.altitude($0.rounded())) }),
            ("loss", Value(facts.loss) { .quantity(.altitude($0.rounded())) }),
        ])
    }
    var profileParts: [[ProfilePoint]] { JourneyProfile(journey)?.drawn ?? [] }
}
