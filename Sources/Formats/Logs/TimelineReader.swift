import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads the history of places of a Google account or telephone: `Records.json` and the semantic months of Takeout, and the
/// `Timeline.json` that Android and iOS export. Visits and activities, which Google inferred, are not read.
enum TimelineReader {
    private static let marks = [
        "\"latitudeE7\"", "\"semanticSegments\"", "\"timelineObjects\"", "\"rawSignals\"", "\"timelinePath\"",
    ]

    /// Whether JSON that begins so is a history.
    static func isTimeline(_ head: String) -> Bool {
        guard let first = head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }),
            first == "{" || first == "["
        else {
            return false
        }
        return marks.contains(where: head.contains)
            || first == "[" && head.contains("\"geo:") && head.contains("\"startTime\"")
    }

    /// The tracks of a history.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        try JSONSource.read(source, check: check) { tree in
            var builder = TimelineBuilder()
            builder.add(tree)
            guard builder.log.points.count <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge("\(source.name) has more than \(GPXSettings.mostPoints) points")
            }
            return builder.document()
        }
    }
}

/// Collects the positions of a history.
struct TimelineBuilder {
    private(set) var log = LogPoints()
    private var inferred = Tally()

    mutating func add(_ tree: JSONTree) {
        for record in tree["locations"]?.items ?? [] { addRecord(record) }
        for segment in tree.items ?? tree["semanticSegments"]?.items ?? [] { addSegment(segment) }
        for signal in tree["rawSignals"]?.items ?? [] {
            if let position = signal["position"] { addSignal(position) }
        }
        for object in tree["timelineObjects"]?.items ?? [] { addObject(object) }
    }

    mutating func document() -> GPXDocument {
        var document = log.document(isSplit: true)
        document.notices = inferred.kinds.map { "\($0.what): not read (\($0.count))" }
        return document
    }

    // MARK: Kinds of record

    private mutating func addRecord(_ record: JSONTree) {
        var sensors = PointSensors()
        sensors.accuracy = record["accuracy"]?.number
        sensors.speed = record["velocity"]?.number
        sensors.course = record["heading"]?.number
        add(
            Coordinate(
                log: Self.angle(record["latitudeE7"]), Self.angle(record["longitudeE7"]),
                altitude: record["altitude"]?.number),
            Self.moment(record["timestamp"]) ?? Self.moment(record["timestampMs"]), sensors)
    }

    private mutating func addSignal(_ position: JSONTree) {
        var sensors = PointSensors()
        sensors.accuracy = position["accuracyMeters"]?.number
        sensors.speed = position["speedMetersPerSecond"]?.number
        add(
            Self.place(position["LatLng"]?.text, altitude: position["altitudeMeters"]?.number),
            Self.moment(position["timestamp"]), sensors)
    }

    private mutating func addSegment(_ segment: JSONTree) {
        if segment["visit"] != nil { inferred.add("visits inferred by Google") }
        if segment["activity"] != nil { inferred.add("activities inferred by Google") }
        let start = Self.moment(segment["startTime"])
        for step in segment["timelinePath"]?.items ?? [] {
            // iOS counts minutes from the start of the segment.
            let minutes = step["durationMinutesOffsetFromStartTime"].flatMap { tree in
                tree.number ?? tree.text.flatMap { DecimalBytes.decimal($0) }
            }
            let later = minutes.flatMap { minutes in
                start.flatMap { LogSettings.moment(seconds: Double($0.milliseconds) / 1000 + minutes * 60) }
            }
            let time = Self.moment(step["time"]) ?? later
            add(Self.place(step["point"]?.text, altitude: nil), time, PointSensors())
        }
    }

    private mutating func addObject(_ object: JSONTree) {
        if object["placeVisit"] != nil { inferred.add("visits inferred by Google") }
        for point in object["activitySegment"]?["simplifiedRawPath"]?["points"]?.items ?? [] {
            var sensors = PointSensors()
            sensors.accuracy = point["accuracyMeters"]?.number
            add(
                Coordinate(log: Self.angle(point["latE7"]), Self.angle(point["lngE7"])),
                Self.moment(point["timestamp"]) ?? Self.moment(point["timestampMs"]), sensors)
        }
    }

    private mutating func add(_ coordinate: Coordinate?, _ time: Timestamp?, _ sensors: PointSensors) {
        guard let coordinate else { return log.doubts.add("records without a possible position, left out") }
        var point = GPXPoint(coordinate: coordinate, time: time)
        point.sensors = sensors
        log.points.append(point)
    }

    // MARK: Values

    /// Degrees of an angle in units of 10⁻⁷ degrees.
    private static func angle(_ tree: JSONTree?) -> Double? {
        guard let number = tree?.number else { return nil }
        let angle = number > LogSettings.mostDegrees * LogSettings.e7 ? number - LogSettings.overflow : number
        return angle / LogSettings.e7
    }

    /// The place of `47.1°, 8.2°` or `geo:47.1,8.2`.
    private static func place(_ text: String?, altitude: Double?) -> Coordinate? {
        guard var text else { return nil }
        if text.hasPrefix("geo:") { text = String(text.dropFirst(4)) }
        let numbers = text.split(separator: ",").map { part in
            DecimalBytes.decimal(part.filter { !$0.isWhitespace && $0 != "°" })
        }
        return numbers.count == 2 ? Coordinate(log: numbers[0], numbers[1], altitude: altitude) : nil
    }

    /// The moment of ISO 8601, or of milliseconds since 1970.
    private static func moment(_ tree: JSONTree?) -> Timestamp? {
        guard let text = tree?.text else { return nil }
        guard let milliseconds = DecimalBytes.decimal(text) else { return ISO8601.timestamp(text) }
        return LogSettings.moment(seconds: milliseconds / 1000)
    }
}
