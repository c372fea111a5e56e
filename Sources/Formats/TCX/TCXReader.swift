import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads TCX version 2 (http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2) as a stream: activities and courses
/// become tracks, course points waypoints.
public enum TCXReader {
    /// Reads a whole file. Throws an error of `TCXErrors` with line and column, or of `check`, which is
    /// called every thousand points, as is `progress`.
    public static func document(
        _ url: URL, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        try document(SourceBytes(url), check: check, progress: progress)
    }

    /// Reads a whole file that is opened or in memory.
    public static func document(
        _ source: SourceBytes, check: () throws -> Void = {}, progress: (Int) -> Void = { _ in }
    ) throws -> GPXDocument {
        try withoutActuallyEscaping(check) { check in
            try withoutActuallyEscaping(progress) { progress in
                let builder = TCXBuilder { points in
                    try check()
                    progress(points)
                }
                try XMLPushParser.read(source, into: builder, failures: TCXErrors.failures, check: check)
                return builder.finished()
            }
        }
    }
}

/// Builds tracks from the elements of a TCX file.
private final class TCXBuilder: XMLDelegate {
    private struct Trackpoint {
        var time: Timestamp?
        var latitude: Double?
        var longitude: Double?
        var altitude: Double?
        var sensors = PointSensors()
        var name: String?
        var notes: String?
        var type: String?
    }

    private let check: (Int) throws -> Void
    private var document = GPXDocument()
    private var stack: [String] = []
    private var text: [UInt8] = []
    private var line: GPXLine?
    private var lap: TrackLap?
    private var point: Trackpoint?
    private var segment: [GPXPoint] = []
    /// Whether the next track begins a new segment, however soon it follows.
    private var isNewSegment = true
    private var points = 0
    private var untimed = 0
    private var dropped: [(name: String, count: Int)] = []

    init(check: @escaping (Int) throws -> Void) { self.check = check }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        guard stack.count < GPXSettings.deepest else {
            throw TCXErrors.hostile("elements are nested more than \(GPXSettings.deepest) deep")
        }
        let element = String(cString: name)
        if stack.isEmpty, element != "TrainingCenterDatabase" {
            throw TCXErrors.root(
                "the outermost element is `\(element.prefix(40))`, not `TrainingCenterDatabase`")
        }
        stack.append(element)
        text.removeAll(keepingCapacity: true)
        switch element {
        case "Activity":
            line = GPXLine()
            isNewSegment = true
            let sport = attributes.text("Sport")
            line?.type = sport == "Biking" ? "cycling" : sport == "Other" ? nil : sport?.lowercased()
        case "Course":
            line = GPXLine()
            isNewSegment = true
        case "Lap" where line != nil:
            lap = TrackLap()
            lap?.start = try attributes.text("StartTime").map { try time($0) }
        case "Trackpoint", "CoursePoint": point = Trackpoint()
        default: break
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard text.count + bytes.count <= GPXSettings.longestText else {
            throw TCXErrors.hostile("a text is longer than \(GPXSettings.longestText) bytes")
        }
        text.append(contentsOf: bytes)
    }

    func end() throws {
        guard let element = stack.popLast() else { return }
        switch element {
        case "Trackpoint": try endPoint()
        case "CoursePoint": endCoursePoint()
        case "Track": endTrack()
        case "Lap":
            if let lap { line?.laps.append(lap) }
            lap = nil
        case "Activity", "Course":
            endSegment()
            if let line, !line.segments.isEmpty || !line.unplaced.isEmpty { document.tracks.append(line) }
            line = nil
        default: try value(element)
        }
        text.removeAll(keepingCapacity: true)
    }

    // MARK: Values

    private func value(_ element: String) throws {
        let value = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let parent = stack.last ?? ""
        guard !value.isEmpty else { return }
        if point != nil { return try pointValue(element, value, in: parent) }
        if lap != nil { return try lapValue(element, value, in: parent) }
        guard line != nil else { return }
        switch (parent, element) {
        case ("Activity", "Id"): document.time = document.time ?? ISO8601.timestamp(value)
        case ("Activity", "Notes"), ("Course", "Notes"): line?.description = value
        case ("Course", "Name"): line?.name = value
        case ("Creator", "Name"): line?.device = value
        case ("Creator", _), ("Version", _): break
        default: drop(element)
        }
    }

    private func pointValue(_ element: String, _ value: String, in parent: String) throws {
        switch (parent, element) {
        case (_, "Time"): point?.time = try time(value)
        case ("Position", "LatitudeDegrees"): point?.latitude = try number(value, element, -90...90)
        case ("Position", "LongitudeDegrees"): point?.longitude = try number(value, element, -180...180)
        case (_, "AltitudeMeters"): point?.altitude = try number(value, element)
        case (_, "DistanceMeters"): point?.sensors.distance = try number(value, element)
        case ("HeartRateBpm", "Value"): point?.sensors.heartRate = try number(value, element)
        case (_, "Cadence"), (_, "RunCadence"): point?.sensors.cadence = try number(value, element)
        case (_, "Speed"): point?.sensors.speed = try number(value, element)
        case (_, "Watts"): point?.sensors.power = try number(value, element)
        case ("CoursePoint", "Name"): point?.name = value
        case ("CoursePoint", "Notes"): point?.notes = value
        case ("CoursePoint", "PointType"): point?.type = value
        // `Absent` means that there is no sensor.
        case (_, "SensorState") where value == "Absent": break
        default: drop(element)
        }
    }

    private func lapValue(_ element: String, _ value: String, in parent: String) throws {
        switch (parent, element) {
        case ("Lap", "TotalTimeSeconds"): lap?.seconds = try number(value, element)
        case ("Lap", "DistanceMeters"): lap?.distance = try number(value, element)
        case ("Lap", "MaximumSpeed"): lap?.maximumSpeed = try number(value, element)
        case ("Lap", "Calories"):
            let calories = try number(value, element)
            lap?.calories = calories
            let sum = line?.calories ?? 0
            line?.calories = sum + calories
        case ("AverageHeartRateBpm", "Value"): lap?.averageHeartRate = try number(value, element)
        case ("MaximumHeartRateBpm", "Value"): lap?.maximumHeartRate = try number(value, element)
        case ("Lap", "Cadence"): lap?.averageCadence = try number(value, element)
        case ("Lap", "Intensity"): lap?.isRest = value == "Resting"
        case ("Lap", "TriggerMethod"): lap?.trigger = value.lowercased()
        // The ends of a course equal those of its points; the average speed is distance over time.
        case ("BeginPosition", _), ("EndPosition", _), (_, "AvgSpeed"): break
        default: drop("Lap/\(element)")
        }
    }

    private func drop(_ name: String) {
        if let index = dropped.firstIndex(where: { $0.name == name }) {
            dropped[index].count += 1
        } else if dropped.count < GPXSettings.mostNotices {
            dropped.append((name, 1))
        }
    }

    private func time(_ value: String) throws -> Timestamp {
        guard let time = ISO8601.timestamp(value) else {
            throw TCXErrors.value("`\(value.prefix(40))` is not a time", fix: "write 2026-02-06T08:15:30Z")
        }
        return time
    }

    private func number(
        _ value: String, _ name: String, _ range: ClosedRange<Double> = -1e12...1e12
    ) throws -> Double {
        guard let number = Double(value), number.isFinite else {
            throw TCXErrors.value("\(name) `\(value.prefix(40))` is not a number")
        }
        guard range.contains(number) else {
            throw TCXErrors.value("\(name) \(value.prefix(40)) is out of range")
        }
        return number
    }

    // MARK: Points

    private func endPoint() throws {
        guard let point else { return }
        self.point = nil
        points += 1
        guard points <= GPXSettings.mostPoints else {
            throw TCXErrors.hostile("the file has more than \(GPXSettings.mostPoints) points")
        }
        if points % GPXSettings.checkInterval == 0 { try check(points) }
        guard let latitude = point.latitude, let longitude = point.longitude else {
            if let time = point.time {
                line?.unplaced.append(
                    UnplacedSample(time: time, altitude: point.altitude, sensors: point.sensors))
            } else {
                untimed += 1
            }
            return
        }
        var place = GPXPoint(
            coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: point.altitude),
            time: point.time)
        place.sensors = point.sensors
        segment.append(place)
    }

    private func endCoursePoint() {
        guard let point, let latitude = point.latitude, let longitude = point.longitude else { return }
        self.point = nil
        document.waypoints.append(
            GPXPoint(
                coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: point.altitude),
                time: point.time, name: point.name, description: point.notes, type: point.type))
    }

    /// A track is a segment; the first track of a lap continues the segment of the previous lap.
    private func endTrack() {
        if !isNewSegment, let last = line?.segments.last?.last?.time, let first = segment.first?.time,
            abs(first.seconds(since: last)) <= TCXSettings.lapPause, let index = line?.segments.indices.last
        {
            line?.segments[index] += segment
            segment = []
        } else {
            endSegment()
        }
        // A second track in the same lap follows a pause.
        isNewSegment = lap != nil
    }

    private func endSegment() {
        if !segment.isEmpty { line?.segments.append(segment) }
        segment = []
    }

    func finished() -> GPXDocument {
        var document = document
        for (name, count) in dropped {
            document.notices.append("\(name) was ignored" + (count > 1 ? " (\(count) times)" : ""))
        }
        if untimed > 0 { document.notices.append("\(untimed) points have neither a position nor a time") }
        document.creator = document.tracks.first?.device
        return document
    }
}
