import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads the history of places of a Google account or telephone: `Records.json` and the semantic months of Takeout, and the
/// `Timeline.json` that Android and iOS export. Visits, which Google inferred, are not read; of its activities those with points on the
/// way are.
enum TimelineReader {
    private static let marks = [
        "\"latitudeE7\"", "\"semanticSegments\"", "\"timelineObjects\"", "\"rawSignals\"", "\"timelinePath\"",
        "\"latitude#location\"",
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
        var repaired: [String] = []
        var document = try JSONSource.read(source, check: check, repairs: { repaired = $0.words }) { tree in
            var builder = TimelineBuilder()
            builder.add(tree)
            guard builder.log.points.count <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge("\(source.name) has more than \(GPXSettings.mostPoints) points")
            }
            return builder.document()
        }
        document.doubts += repaired
        return document
    }
}

/// Collects the positions of a history.
struct TimelineBuilder {
    private(set) var log = LogPoints()
    private var inferred = Tally()
    /// The positions of each device, where records name one: two telephones are in two places at once.
    private var devices: [(tag: String, points: [GPXPoint])] = []
    /// The ways of activities whose points have no times but at both ends.
    private var ways: [GPXLine] = []
    /// The positions of paths, which Google simplified, and those that the telephone measured.
    private var paths: [GPXPoint] = []
    private var isPath = false

    mutating func add(_ tree: JSONTree) {
        for record in tree["locations"]?.items ?? tree["data"]?["items"]?.items ?? [] { addRecord(record) }
        for segment in tree.items ?? tree["semanticSegments"]?.items ?? [] { addSegment(segment) }
        for signal in tree["rawSignals"]?.items ?? [] {
            if let position = signal["position"] { addSignal(position) }
        }
        for object in tree["timelineObjects"]?.items ?? [] { addObject(object) }
    }

    mutating func document() -> GPXDocument {
        addPaths()
        var document: GPXDocument
        if devices.count > 1 {
            // Records without a device, signals and paths.
            if !log.points.isEmpty { devices.append(("", log.points)) }
            var tracks: [GPXLine] = []
            for device in devices {
                log.points = device.points
                leaveOutCells()
                tracks += log.document(isSplit: true).tracks
            }
            log.points = []
            document = log.document(isSplit: true)
            document.tracks = tracks
            document.doubts.append("\(devices.count) devices in one history: each has its own tracks")
        } else {
            log.points += devices.flatMap(\.points)
            leaveOutCells()
            document = log.document(isSplit: true)
        }
        document.tracks += ways
        document.notices = inferred.kinds.map { "\($0.what): not read (\($0.count))" }
        return document
    }

    // MARK: Kinds of record

    private mutating func addRecord(_ record: JSONTree) {
        var sensors = PointSensors()
        sensors.accuracy = record["accuracy"]?.number
        sensors.speed = record["velocity"]?.number
        sensors.course = record["heading"]?.number
        let before = log.points.count
        defer { if log.points.count > before { sort(byDevice: record["deviceTag"]) } }
        add(
            Coordinate(
                log: Self.angle(record["latitudeE7"]) ?? record["latitude"]?.number,
                Self.angle(record["longitudeE7"]) ?? record["longitude"]?.number,
                altitude: record["altitude"]?.number),
            Self.moment(record["timestamp"]) ?? Self.moment(record["timestampMs"]), sensors)
    }

    /// Puts the last position to those of its device.
    private mutating func sort(byDevice tag: JSONTree?) {
        guard let name = tag.flatMap({ $0.text ?? $0.number.map { String($0) } }),
            let point = log.points.popLast()
        else { return }
        if let index = devices.firstIndex(where: { $0.tag == name }) {
            devices[index].points.append(point)
        } else {
            devices.append((name, [point]))
        }
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
        isPath = true
        defer { isPath = false }
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
        guard let activity = object["activitySegment"] else { return }
        let points = activity["simplifiedRawPath"]?["points"]?.items ?? []
        guard !points.isEmpty else { return addWay(of: activity) }
        addEnd(of: activity, "startLocation", "startTimestamp")
        defer { addEnd(of: activity, "endLocation", "endTimestamp") }
        for point in points {
            var sensors = PointSensors()
            sensors.accuracy = point["accuracyMeters"]?.number
            add(
                Self.place(of: point),
                Self.moment(point["timestamp"]) ?? Self.moment(point["timestampMs"]), sensors)
        }
    }

    /// Adds the place and time at an end of an activity, where both are there.
    private mutating func addEnd(of activity: JSONTree, _ place: String, _ time: String) {
        guard let end = Self.end(of: activity, place, time), end.time != nil else { return }
        add(end.coordinate, end.time, PointSensors())
    }

    private static func end(of activity: JSONTree, _ place: String, _ time: String) -> GPXPoint? {
        guard let coordinate = activity[place].flatMap(Self.place) else { return nil }
        let duration = activity["duration"]
        return GPXPoint(
            coordinate: coordinate,
            time: moment(duration?[time]) ?? moment(duration?["\(time)Ms"]))
    }

    /// Adds the way of an activity: its start, the places that Google found on it, and its end.
    private mutating func addWay(of activity: JSONTree) {
        let between =
            (activity["waypointPath"]?["waypoints"]?.items ?? activity["transitPath"]?["transitStops"]?.items
            ?? []).compactMap(Self.place)
        guard !between.isEmpty else {
            return inferred.add("activities without a point between start and end")
        }
        let inner = between.map { GPXPoint(coordinate: $0) }
        let start = [Self.end(of: activity, "startLocation", "startTimestamp")].compactMap(\.self)
        let finish = [Self.end(of: activity, "endLocation", "endTimestamp")].compactMap(\.self)
        var line = GPXLine(segments: [start + inner + finish])
        log.account.seen += line.pointCount
        line.type = activity["activityType"]?.text?.lowercased()
        line.doubts = ["a way that Google inferred: only its start and end have times"]
        ways.append(line)
    }

    /// The place of an object of a semantic month.
    private static func place(of tree: JSONTree) -> Coordinate? {
        Coordinate(
            log: angle(tree["latE7"] ?? tree["latitudeE7"]), angle(tree["lngE7"] ?? tree["longitudeE7"]))
    }

    /// Adds the positions of paths, except where the telephone's own of the same time are there.
    private mutating func addPaths() {
        let own = log.points.compactMap(\.time).sorted()
        let pause = LogSettings.trackPause
        for point in paths {
            if let time = point.time {
                let next = own.partitionIndex { $0 >= time }
                let before = next > 0 ? time.seconds(since: own[next - 1]) : .infinity
                let after = next < own.count ? own[next].seconds(since: time) : .infinity
                // Within a stretch of them, or in the minute to which paths are rounded.
                if before + after <= pause || min(before, after) <= LogSettings.pathStep {
                    log.account.leaveOut("of a path beside measured positions")
                    inferred.add("positions of a path beside those that the telephone measured")
                    continue
                }
            }
            log.points.append(point)
        }
        paths = []
    }

    /// Leaves out the positions of radio cells where those of satellites are there too.
    private mutating func leaveOutCells() {
        let count = log.points.leaveOutVague().count
        log.leaveOut(GPXPoint.vague, "positions \(GPXPoint.vague) among exact ones, left out", count: count)
    }

    private mutating func add(_ coordinate: Coordinate?, _ time: Timestamp?, _ sensors: PointSensors) {
        log.account.seen += 1
        guard let coordinate else {
            return log.leaveOut("without a position", "records without a possible position, left out")
        }
        var point = GPXPoint(coordinate: coordinate, time: time)
        point.sensors = sensors
        if isPath { paths.append(point) } else { log.points.append(point) }
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
