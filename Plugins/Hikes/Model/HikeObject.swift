import Formats
import Geodesy
import Pictures
import PluginKit
import TrailStores

/// A hike as a value of the workbench, with its track.
struct HikeObject: RecordedHike, MeasuredTrack, ProfileDrawable, ClimbingObject {
    /// The columns of lists.
    static let columns = ["id", "name", "start", "distance", "gain", "loss", "moving"]

    let hike: Hike
    /// Decodes the recording, on demand. The flag is whether coordinates are checked.
    private let read: @Sendable (_ checksCoordinates: Bool) throws -> Recording
    /// The recording before its first edit.
    let original: @Sendable () throws -> Recording

    /// A hike of a store.
    init(_ hike: Hike, in store: HikeStore) {
        self.hike = hike
        read = { try store.recording(of: hike, checksCoordinates: $0) }
        original = { try store.original(of: hike) }
    }

    /// A hike with a recording other than the stored one.
    init(_ hike: Hike, recording: Recording) {
        self.hike = hike
        read = { _ in recording }
        original = { recording }
    }

    func recording() throws -> Recording { try read(false) }

    /// The recording with all coordinates in range.
    func checkedRecording() throws -> Recording { try read(true) }

    var typeName: String { "hike" }

    static let declaredFieldNames: [String]? = fields + means.map(\.rawValue)
    private static let fields = [
        "id", "name", "start", "end", "distance", "gain", "loss", "moving", "resting", "speed", "heartRate",
        "maxHeartRate", "calories", "comment", "at", "method", "activity", "device", "source", "account",
        "segments",
        "deviceTotals", "sensors", "edits", "warnings", "uuid",
    ]

    var fieldNames: [String] {
        guard let line = (try? read(false))?.line else { return Self.fields }
        let means = Self.means.filter { Self.mean($0, line) != nil }.map(\.rawValue)
        return Self.fields.flatMap { $0 == "maxHeartRate" ? [$0] + means : [$0] }
    }

    func field(_ name: String) -> Value? {
        switch name {
        case "id": .text(hike.shortID)
        case "uuid": .text(hike.id.uuidString)
        case "name": .text(hike.name)
        case "start": hike.areTimesKnown ? .date(hike.startTime) : .nothing
        case "end": hike.areTimesKnown ? .date(hike.endTime) : .nothing
        case "at": hike.isPlaceKnown ? .coordinate(hike.start.withoutAltitude) : .nothing
        case "comment": .text(hike.comment)
        case "method": .text(HikeStatistics.Settings.description)
        default: measure(name) ?? detail(name)
        }
    }

    /// The sensors whose means are shown where they were recorded.
    private static let means: [PointSensors.Kind] = [.power, .cadence, .temperature]

    /// The mean of the recorded values of a sensor over their time; `nil` if there are none.
    private static func mean(_ kind: PointSensors.Kind, _ line: GPXLine) -> Double? {
        RateMean.of(SensorSeries.of(kind, line))
    }

    /// Fields from the recording; a damaged one has none.
    private func detail(_ name: String) -> Value? {
        if let kind = PointSensors.Kind(rawValue: name), Self.means.contains(kind) {
            guard let line = (try? read(false))?.line, let mean = Self.mean(kind, line) else {
                return .nothing
            }
            // To a tenth, as devices show them.
            return .number((mean * 10).rounded() / 10)
        }
        guard
            [
                "activity", "device", "source", "account", "segments", "deviceTotals", "sensors", "edits",
                "warnings",
            ]
            .contains(name)
        else {
            return nil
        }
        guard let recording = try? read(false) else {
            return name == "warnings"
                ? .list(leftOut + [.text("the track is damaged: `hike points` shows where")]) : .nothing
        }
        return switch name {
        case "activity": Value(recording.line.type) { .text($0) }
        case "device": Value(recording.line.device ?? recording.document.creator) { .text($0) }
        case "source": .text(recording.origin?.file ?? "the app's track")
        case "account": Value(recording.account) { .object(AccountObject($0)) }
        case "segments": .integer(recording.line.segments.count)
        case "deviceTotals": Value(recording.line.totals?.record) { .record($0) }
        case "sensors": .text(recording.line.sensorNames.joined(separator: ", "))
        case "edits": .list(recording.edits.map { .text($0.summary) })
        default: .list(leftOut + recording.notices.map { .text($0) })
        }
    }

    /// What is said of values of its row that are left out.
    private var leftOut: [Value] { hike.leftOut.map { [.text("\($0): left out")] } ?? [] }

    /// Metres of the way of the walking time.
    private var walkedDistance: Double {
        (try? read(false)).map { HikeStatistics.walkedDistance(of: hike, $0) } ?? hike.distance
    }

    private func measure(_ name: String) -> Value? {
        switch name {
        case "distance": hike.isDistanceKnown ? .quantity(.metres(hike.distance)) : .nothing
        case "gain": hike.isClimbKnown ? .quantity(.altitude(hike.gain.rounded())) : .nothing
        case "loss": hike.isClimbKnown ? .quantity(.altitude(hike.loss.rounded())) : .nothing
        case "moving": hike.areTimesKnown ? .quantity(.duration(hike.walkingTime)) : .nothing
        case "resting": hike.areTimesKnown ? .quantity(.duration(hike.restingTime)) : .nothing
        case "speed":
            hike.walkingTime > 0 && hike.isDistanceKnown
                ? .quantity(.metresPerSecond(walkedDistance / hike.walkingTime)) : .nothing
        case "heartRate": Value(hike.averageHeartRate) { .number($0.rounded()) }
        case "maxHeartRate": Value(hike.maximumHeartRate) { .number($0.rounded()) }
        case "calories": Value(hike.calories) { .number($0.rounded()) }
        default: nil
        }
    }

    var summary: String { hike.displayName }

    var mapFeatures: [MapFeature] {
        get throws {
            let parts = try checkedRecording().line.segments.map { $0.map(\.coordinate.withoutAltitude) }
            return parts.map { .track($0) } + [.milestones(parts, MapTheme.trackMark)] + WayEnds.signs(parts)
        }
    }

    func measuredSegments(_ measure: TrackMeasure) throws -> [[MeasuredPoint]]? {
        try checkedRecording().line.segments.map { segment in
            segment.map { point in
                MeasuredPoint(
                    point.coordinate, time: point.time?.seconds, speed: point.sensors[.speed],
                    heartRate: point.heartRate)
            }
        }
    }

    var profileTitle: String { hike.name }

    var profileLength: Double? { get throws { try checkedRecording().distances.last?.last } }

    var climbFacts: Record {
        Record(["gain", "loss"].map { ($0, measure($0) ?? .nothing) })
    }

    var profileParts: [[ProfilePoint]] {
        get throws {
            let recording = try checkedRecording()
            var parts = ProfileParts<ProfilePoint>()
            for (distances, segment) in zip(recording.distances, recording.line.segments) {
                parts.begin()
                for (distance, point) in zip(distances, segment) {
                    parts.add(
                        point.coordinate.altitude.map { ProfilePoint(distance: distance, elevation: $0) },
                        at: distance)
                }
            }
            return parts.parts
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

extension DeviceTotals {
    /// What is known of them; `nil` if nothing is.
    fileprivate var record: Record? {
        let fields: [(String, Value)] = [
            ("distance", Value(distance) { .quantity(.metres($0)) }),
            ("timer", Value(timer) { .quantity(.duration($0)) }),
            ("elapsed", Value(elapsed) { .quantity(.duration($0)) }),
            ("ascent", Value(ascent) { .quantity(.altitude($0)) }),
            ("descent", Value(descent) { .quantity(.altitude($0)) }),
            ("heartRate", Value(averageHeartRate) { .number($0) }),
            ("maxHeartRate", Value(maximumHeartRate) { .number($0) }),
            ("calories", Value(calories) { .number($0) }),
        ].filter { if case .nothing = $0.1 { false } else { true } }
        return fields.isEmpty ? nil : Record(fields)
    }
}
