import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads TCX versions 1 and 2 (http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2) as a stream: activities and courses
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
                let repair = XMLRepair()
                do {
                    try XMLPushParser.read(
                        source, into: builder, failures: TCXErrors.failures, repair: repair, check: check)
                } catch let error as RutterError where error.code == TCXErrors.xml.code {
                    guard try builder.salvage() > 0 else { throw error }
                    var document = builder.finished()
                    document.doubts = [error.endOfFile] + repair.doubts + document.doubts
                    return document
                }
                var document = builder.finished()
                document.doubts = repair.doubts + document.doubts
                return document
            }
        }
    }
}

/// Builds tracks from the elements of a TCX file.
private final class TCXBuilder: XMLResuming {
    let restarts = ["Trackpoint", "Track", "Lap", "Activity", "Course"]
    /// Elements of these kinds that began since the last fault.
    private(set) var begun = 0

    private struct Trackpoint {
        var time: Timestamp?
        var latitude: Double?
        /// A number that is no latitude.
        var noLatitude: Double?
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
    private var account = PointAccount()
    private var dropped = Tally(most: GPXSettings.mostNotices)
    private var doubts = Tally()
    private var angles = SwappedAngles()

    /// Sports whose words are others than those of FIT, and the word for none.
    private static let sports = ["biking": "cycling"]
    private static let otherSport = "other"

    /// The activities of the folders of version 1.
    private static let folders = ["Running": "running", "Biking": "cycling"]

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
        if restarts.contains(element) { begun += 1 }
        switch element {
        case "Activity":
            line = GPXLine()
            isNewSegment = true
            let sport = attributes.text("Sport")
            line?.type = Self.sports[sport?.lowercased() ?? ""] ?? sport?.lowercased().nonEmpty
            if line?.type == Self.otherSport { line?.type = nil }
        case "Run":
            // An activity of version 1, in the folder of its sport.
            line = GPXLine()
            isNewSegment = true
            line?.type = stack.lazy.reversed().compactMap { Self.folders[$0] }.first
        case "Course":
            line = GPXLine()
            line?.isPlan = true
            isNewSegment = true
        case "Transition" where line == nil:
            // The lap between two activities of a race of several sports.
            line = GPXLine()
            isNewSegment = true
            line?.type = "transition"
            lap = TrackLap()
            lap?.start = attributes.text("StartTime").flatMap { time($0) }
        case "Lap" where line != nil:
            lap = TrackLap()
            lap?.start = attributes.text("StartTime").flatMap { time($0) }
        case "Trackpoint", "CoursePoint":
            if point != nil {
                doubts.add("points without an end tag, ended where the next begins")
                try endPoint()
            }
            point = Trackpoint()
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
            isNewSegment = false
        case "Activity", "Course", "Run", "Transition":
            if element == "Transition", let open = lap {
                line?.laps.append(open)
                lap = nil
            }
            endSegment()
            let totals = line.flatMap { DeviceTotals(laps: $0.laps) }
            line?.totals = totals
            takeLaps()
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
        case ("Activity", "Notes"), ("Course", "Notes"), ("Run", "Notes"): line?.description = value
        case ("Course", "Name"): line?.name = value
        case ("Creator", "Name"): line?.device = value
        case ("Creator", _), ("Version", _): break
        default: dropped.add(element)
        }
    }

    private func pointValue(_ element: String, _ value: String, in parent: String) throws {
        switch (parent, element) {
        case (_, "Time"):
            let read = time(value)
            point?.time = read
        case ("Position", "LatitudeDegrees"):
            let read = number(value, element, -90...90)
            point?.latitude = read
            if read == nil { point?.noLatitude = DecimalBytes.decimal(value) }
        case ("Position", "LongitudeDegrees"):
            // The points beside it show what one beyond 180° is.
            let read = number(value, element, -LogSettings.turn.nextDown...LogSettings.turn.nextDown)
            point?.longitude = read
        case (_, "AltitudeMeters"):
            let read = number(value, element)
            point?.altitude = read
        case (_, "DistanceMeters"):
            let read = number(value, element)
            point?.sensors.distance = read
        // Some programs leave out the element for the value.
        case ("HeartRateBpm", "Value"), (_, "HeartRateBpm"):
            let read = number(value, element)
            point?.sensors.heartRate = read
        case (_, "Cadence"), (_, "RunCadence"):
            let read = number(value, element)
            point?.sensors.cadence = read
        case (_, "Speed"):
            let read = number(value, element)
            point?.sensors.speed = read
        case (_, "Watts"):
            let read = number(value, element)
            point?.sensors.power = read
        case ("CoursePoint", "Name"): point?.name = value
        case ("CoursePoint", "Notes"): point?.notes = value
        case ("CoursePoint", "PointType"): point?.type = value
        // `Absent` means that there is no sensor.
        case (_, "SensorState") where value == "Absent": break
        default: dropped.add(element)
        }
    }

    private func lapValue(_ element: String, _ value: String, in container: String) throws {
        let parent = container == "Transition" ? "Lap" : container
        switch (parent, element) {
        case ("Lap", "TotalTimeSeconds"):
            let read = number(value, element)
            lap?.seconds = read
        case ("Lap", "DistanceMeters"):
            let read = number(value, element)
            lap?.distance = read
        case ("Lap", "MaximumSpeed"):
            let read = number(value, element)
            lap?.maximumSpeed = read
        case ("Lap", "Calories"):
            guard let calories = number(value, element) else { return }
            lap?.calories = calories
            let sum = line?.calories ?? 0
            line?.calories = sum + calories
        case ("AverageHeartRateBpm", "Value"):
            let read = number(value, element)
            lap?.averageHeartRate = read
        case ("MaximumHeartRateBpm", "Value"):
            let read = number(value, element)
            lap?.maximumHeartRate = read
        case ("Lap", "Cadence"):
            let read = number(value, element)
            lap?.averageCadence = read
        case ("Lap", "Intensity"): lap?.isRest = value == "Resting"
        case ("Lap", "TriggerMethod"): lap?.trigger = value.lowercased()
        // The ends of a course equal those of its points; the average speed is distance over time.
        case ("BeginPosition", _), ("EndPosition", _), (_, "AvgSpeed"): break
        default: dropped.add("Lap/\(element)")
        }
    }

    private func time(_ value: String) -> Timestamp? {
        if let time = ISO8601.timestamp(value) {
            if point != nil, !ISO8601.hasZone(Array(value.utf8)[...]) {
                doubts.add("times without a zone, taken as UTC")
            }
            return time
        }
        guard let (time, hasZone, doubt) = RecordedTime.repaired(value) else {
            doubts.add(RecordedTime.refusal(value))
            return nil
        }
        doubts.add(doubt)
        if point != nil, !hasZone { doubts.add("times without a zone, taken as UTC") }
        return time
    }

    /// The number of a value; one that is none, or outside its range, is dropped with a count.
    private func number(
        _ value: String, _ name: String, _ range: ClosedRange<Double> = -1e12...1e12
    ) -> Double? {
        if let number = DecimalBytes.decimal(value), range.contains(number) { return number }
        if let western = DecimalBytes.western(value), let number = DecimalBytes.decimal(western),
            range.contains(number)
        {
            doubts.add(DecimalBytes.foreignDigits)
            return number
        }
        let bytes = Array(value.utf8)
        if let number = DecimalBytes.withComma(bytes), range.contains(number),
            range.upperBound <= LogSettings.turn || !RepairedNumber.isGrouped(bytes)
        {
            doubts.add("values of `\(name)` with a comma, read as a decimal point")
            return number
        }
        doubts.add("values of `\(name)` that are no possible number, left out")
        return nil
    }

    /// Completes what is open where a file ends early. Returns the number of points read.
    func salvage() throws -> Int {
        leaveOutOpen("cut off by the end of the file")
        try close(downTo: 0)
        return points
    }

    private func leaveOutOpen(_ why: String) {
        guard point != nil else { return }
        points += 1
        account.leaveOut(why)
        point = nil
    }

    /// Ends the innermost elements until a number is left.
    private func close(downTo count: Int) throws {
        while stack.count > count, let element = stack.last {
            if ["Track", "Lap", "Activity", "Course", "Run", "Transition"].contains(element) {
                try end()
            } else {
                stack.removeLast()
            }
        }
    }

    func resume(before element: String) throws -> [String]? {
        leaveOutOpen("in a part that cannot be read")
        begun = 0
        // The innermost element in which it can stand.
        let parents =
            switch element {
            case "Trackpoint": ["Track"]
            case "Track": ["Lap", "Course"]
            case "Lap": ["Activity", "Course", "Run"]
            default: ["Activities", "Courses"]
            }
        if let parent = stack.lastIndex(where: parents.contains) {
            try close(downTo: parent + 1)
        } else if element == "Trackpoint", lap != nil, let parent = stack.lastIndex(of: "Lap") {
            try close(downTo: parent + 1)
            stack.append("Track")
        } else {
            try close(downTo: min(1, stack.count))
            if stack.isEmpty { stack = ["TrainingCenterDatabase"] }
            try open(around: element)
        }
        text.removeAll(keepingCapacity: true)
        return Array(stack.dropFirst())
    }

    /// Opens the elements around one whose own start tags are lost.
    private func open(around element: String) throws {
        if element == "Activity" || element == "Course" {
            return stack.append(element == "Activity" ? "Activities" : "Courses")
        }
        stack += ["Activities", "Activity"]
        line = GPXLine()
        isNewSegment = true
        guard element != "Lap" else { return }
        stack.append("Lap")
        lap = TrackLap()
        if element == "Trackpoint" { stack.append("Track") }
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
            angles.add(point.noLatitude, point.longitude)
            if let time = point.time {
                line?.unplaced.append(
                    UnplacedSample(time: time, altitude: point.altitude, sensors: point.sensors))
            } else {
                untimed += 1
            }
            if line == nil, point.time != nil { leaveOutAlone() }
            return
        }
        angles.addSound()
        guard line != nil else { return leaveOutAlone() }
        var place = GPXPoint(
            coordinate: Coordinate(latitude: latitude, longitude: longitude, altitude: point.altitude),
            time: point.time)
        place.sensors = point.sensors
        segment.append(place)
    }

    private func leaveOutAlone() {
        account.leaveOut("outside of any activity")
        doubts.add("points outside of any activity, left out")
    }

    private func endCoursePoint() {
        guard let point else { return }
        self.point = nil
        points += 1
        guard let latitude = point.latitude, let longitude = point.longitude,
            !WideLongitudes.isWide(longitude)
        else {
            account.leaveOut("course points without a position")
            return doubts.add("course points without a position, left out")
        }
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

    /// Of an activity without any point, takes what the device summed up for each lap.
    private func takeLaps() {
        guard let open = line, !open.isPlan, open.segments.isEmpty, open.unplaced.isEmpty else { return }
        let spans = open.laps.compactMap { lap -> UnplacedSample.Span? in
            guard let start = lap.start, let seconds = lap.seconds, seconds > 0 else { return nil }
            return .init(start: start, end: start.advanced(bySeconds: seconds), metres: lap.distance)
        }
        let samples = UnplacedSample.summaries(of: spans)
        guard !samples.isEmpty else { return }
        line?.unplaced = samples
        points += samples.count
        doubts.add("activities without a point: the way and its times are from the totals of the laps")
    }

    private func endSegment() {
        if !segment.isEmpty { line?.segments.append(segment) }
        segment = []
    }

    func finished() -> GPXDocument {
        var document = document
        angles.report(to: &doubts)
        document.doubts += doubts.kinds.map { "\($0.what): \($0.count)" }
        for (name, count) in dropped.kinds {
            document.notices.append("\(name) was ignored" + (count > 1 ? " (\(count) times)" : ""))
        }
        if untimed > 0 { document.notices.append("\(untimed) points have neither a position nor a time") }
        if document.tracks.contains(where: \.isPlan) { document.notices.append(GPXLine.coursePlan) }
        account.seen = points
        account.leaveOut("without a position and a time", count: untimed)
        document.account = account
        document.creator = document.tracks.first?.device
        return document
    }
}
