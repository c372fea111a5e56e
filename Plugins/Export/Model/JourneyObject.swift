import Geodesy
import Pictures
import PluginKit

/// A journey as a value: the content of a file.
struct JourneyObject: FieldedObject, MapDrawable, ProfileDrawable, ClimbingObject {
    let journey: ExportJourney

    var typeName: String { "journey" }
    var summary: String { journey.title }

    static let fields = FieldTable<Self> {
        Field("name") { .text($0.journey.name) }
        Field("kind") { .text($0.journey.kind.rawValue) }
        Field("start") { Value($0.journey.start) { .date($0) } }
        Field("end") { Value($0.journey.end) { .date($0) } }
        Field("distance") { Value($0.journey.facts.distance) { .quantity(.metres($0)) } }
        Field("gain") { Value($0.journey.facts.gain, climb) }
        Field("loss") { Value($0.journey.facts.loss, climb) }
        Field("tracks") { .integer($0.journey.tracks.count) }
        Field("routes") { .integer($0.journey.routes.count) }
        Field("segments") { .integer($0.journey.lines.reduce(0) { $0 + $1.segments.count }) }
        Field("points") { .integer($0.journey.lines.flatMap(\.segments).reduce(0) { $0 + $1.count }) }
        Field("waypoints") { .integer($0.journey.places.count) }
        Field("comment") { .text($0.journey.comment) }
        Field("author") { Value($0.journey.author, Value.text) }
        Field("at") { Value($0.journey.firstPlace, Value.coordinate) }
        Field("activity", where: { $0.journey.activity != nil }) { Value($0.journey.activity, Value.text) }
        Field("photos", where: { !$0.journey.photos.isEmpty }) { .integer($0.journey.photos.count) }
        Field("warnings", where: { !$0.journey.warnings.isEmpty }) {
            .list($0.journey.warnings.map { .text($0) })
        }
    }

    private static func climb(_ metres: Double) -> Value { .quantity(.altitude(metres.rounded())) }

    var mapFeatures: [MapFeature] { JourneyDrawing.lines(journey) + JourneyDrawing.pins(journey) }
    var profileTitle: String { journey.name }
    var profileLength: Double? { JourneyProfile(journey)?.length }
    var climbFacts: Record {
        Record(["gain", "loss"].map { ($0, field($0) ?? .nothing) })
    }
    var profileParts: [[ProfilePoint]] { JourneyProfile(journey)?.drawn ?? [] }
}

extension ExportJourney {
    /// Where its first line begins, else its first waypoint.
    fileprivate var firstPlace: Coordinate? {
        let start = lines.lazy.flatMap(\.segments).joined().first?.coordinate
        return (start ?? places.first?.point.coordinate)?.withoutAltitude
    }
}
