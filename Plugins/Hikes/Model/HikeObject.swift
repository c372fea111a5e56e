import Geodesy
import Pictures
import PluginKit
import TrailStores

/// A hike as a value of the workbench, with its track.
struct HikeObject: RecordedHike, MapDrawable, ProfileDrawable {
    /// The columns of lists.
    static let columns = ["id", "name", "start", "distance", "gain", "loss", "walking"]

    let hike: Hike
    /// Decodes the track; it is only read when something needs it.
    let track: @Sendable () throws -> [TrackPoint]
    private let recorded: @Sendable () throws -> [TrackPoint]

    /// A hike of a store.
    init(_ hike: Hike, in store: HikeStore) {
        self.hike = hike
        track = { try store.track(of: hike) }
        recorded = { try store.track(of: hike, checksPlaces: false) }
    }

    func recordedPoints() throws -> [TrackPoint] { try recorded() }

    var typeName: String { "hike" }

    static let declaredFieldNames: [String]? = fields
    private static let fields = [
        "id", "name", "start", "end", "distance", "gain", "loss", "walking", "resting", "speed", "heartRate",
        "maxHeartRate", "calories", "comment", "at", "method", "uuid",
    ]

    var fieldNames: [String] { Self.fields }

    func field(_ name: String) -> Value? {
        switch name {
        case "id": .text(hike.shortID)
        case "uuid": .text(hike.id.uuidString)
        case "name": .text(hike.name)
        case "start": .date(hike.startTime)
        case "end": .date(hike.endTime)
        case "at": .coordinate(hike.start.withoutAltitude)
        case "comment": .text(hike.comment)
        case "method": .text(HikeStatistics.Settings.description)
        default: measure(name)
        }
    }

    private func measure(_ name: String) -> Value? {
        switch name {
        case "distance": .quantity(.metres(hike.distance))
        case "gain": .quantity(.altitude(hike.gain.rounded()))
        case "loss": .quantity(.altitude(hike.loss.rounded()))
        case "walking": .quantity(.seconds(hike.walkingTime))
        case "resting": .quantity(.seconds(hike.restingTime))
        case "speed":
            hike.walkingTime > 0 ? .quantity(.metresPerSecond(hike.distance / hike.walkingTime)) : .nothing
        case "heartRate": Value(hike.averageHeartRate) { .number($0.rounded()) }
        case "maxHeartRate": Value(hike.maximumHeartRate) { .number($0.rounded()) }
        case "calories": Value(hike.calories) { .number($0.rounded()) }
        default: nil
        }
    }

    var summary: String { hike.displayName }

    var mapFeatures: [MapFeature] {
        get throws { [.track(try track().map(\.coordinate.withoutAltitude))] }
    }

    var profileTitle: String { hike.name }

    var profilePoints: [(distance: Double, elevation: Double)] {
        get throws {
            let points = try track()
            let distances = Polyline.cumulativeDistances(points.map(\.coordinate))
            return zip(distances, points).compactMap { distance, point in
                point.coordinate.altitude.map { (distance, $0) }
            }
        }
    }
}

/// All hikes of the store in use, for the session's map.
struct HikeMapContent: MapContent {
    let library: ActiveStore<HikeStore>

    func mapObjects(context: Context) async throws -> [any DomainObject] {
        guard let store = try library.storeIfFits(context) else { return [] }
        return try store.all().map { HikeObject($0, in: store) }
    }
}

extension Hike {
    /// Its name, or its short identifier where it has none.
    var displayName: String { name.isEmpty ? shortID : name }
}
