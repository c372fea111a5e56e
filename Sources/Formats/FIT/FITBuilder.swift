import CivilTime
import Core
import Geodesy

/// Builds tracks, laps and waypoints from FIT messages.
struct FITBuilder {
    private struct Session {
        var start: Timestamp?
        var sport: Int64?
        var totals = DeviceTotals()
        /// Metres of the pool.
        var poolLength: Double?
    }

    /// Points and samples read.
    private(set) var count = 0
    private var segments: [[GPXPoint]] = []
    private var segment: [GPXPoint] = []
    private var unplaced: [UnplacedSample] = []
    private var untimed = 0
    private var withoutPlace = 0
    private var outOfRange = 0
    private var isStopped = false
    /// When the timer stopped, while it stands.
    private var stopped: Timestamp?
    /// When the timer stood still. Some devices write all events before or after the records.
    private var pauses: [(stop: Timestamp, start: Timestamp)] = []
    private var laps: [TrackLap] = []
    private var sessions: [Session] = []
    /// The ends of lengths of a pool, with whether somebody swam; `nil` if the device does not say.
    private var lengths: [(start: Timestamp, end: Timestamp, isActive: Bool?)] = []
    /// What the file is, if it is no recording.
    private var fileType: Int64?
    private var locations = 0
    private var placesWithoutPosition = 0
    private var waypoints: [GPXPoint] = []
    private var name: String?
    private var created: Timestamp?
    /// Whether the file says that it is a course, which is a plan.
    private var isCourse = false
    private var device: String?
    private var otherFields = [Int](repeating: 0, count: 256)
    /// Fields of laps, sessions and similar messages that have a value and are not kept, in file order.
    private var otherValues: [(message: String, field: UInt8, count: Int)] = []
    private var otherEvents: [(number: Int64, count: Int)] = []
    private var otherMessages: [(number: UInt16, count: Int)] = []
    private var developerFields: [(index: UInt8, number: UInt8, count: Int)] = []
    private var developerNames: [(index: UInt8, number: UInt8, name: String)] = []
    private var account = PointAccount()
    private var coursePoints = 0
    /// Measurements that were made of lengths, laps or totals.
    private var summaries = 0
    private var notices: [String] = []
    private var doubts: [String] = []

    mutating func notice(_ words: String) { notices.append(words) }
    mutating func doubt(_ words: String) { doubts.append(words) }

    /// Adds a message. Returns whether it was a record.
    mutating func add(_ message: FITMessage) throws(RutterError) -> Bool {
        switch message.definition.message {
        case FITProfile.Message.record:
            try addRecord(message)
            return true
        case FITProfile.Message.event: addEvent(message)
        case FITProfile.Message.lap:
            addLap(message)
            countValues(message, "lap", besides: FITProfile.LosslessFields.lap)
        case FITProfile.Message.session:
            addSession(message)
            countValues(message, "session", besides: FITProfile.LosslessFields.session)
        case FITProfile.Message.activity:
            countValues(message, "activity", besides: FITProfile.LosslessFields.activity)
        case FITProfile.Message.fileID: addFile(message)
        case FITProfile.Message.course: name = message.text(5) ?? name
        case FITProfile.Message.coursePoint: addCoursePoint(message)
        case FITProfile.Message.location: addLocation(message)
        case FITProfile.Message.length: addLength(message)
        case FITProfile.Message.fieldDescription:
            if let index = message.integer(0), let number = message.integer(1), let name = message.text(3) {
                developerNames.append(
                    (UInt8(truncatingIfNeeded: index), UInt8(truncatingIfNeeded: number), name))
            }
        case let number where !FITProfile.Message.derived.contains(number): countMessage(number)
        default: break
        }
        return false
    }

    private mutating func addRecord(_ message: FITMessage) throws(RutterError) {
        count += 1
        guard count <= GPXSettings.mostPoints else {
            throw FITErrors.tooLarge(
                "the file has more than \(GPXSettings.mostPoints) points",
                fix: "export the activity in parts from the program that recorded it")
        }
        var latitude: Int64?
        var longitude: Int64?
        var altitude: Double?
        var enhancedAltitude: Double?
        var fraction: Double?
        var sensors = PointSensors()
        for field in message.definition.fields {
            switch field.number {
            case 0: latitude = message.integer(field)
            case 1: longitude = message.integer(field)
            case 2: altitude = message.number(field).map { ($0 - 2500) / 5 }
            case 3: sensors.heartRate = message.number(field)
            case 4: sensors.cadence = message.number(field)
            case 5: sensors.distance = message.number(field).map { $0 / 100 }
            case 6: sensors.speed = sensors.speed ?? message.number(field).map { $0 / 1000 }
            case 7: sensors.power = message.number(field)
            case 13: sensors.temperature = message.number(field)
            case 31: sensors.accuracy = message.number(field)
            case 53: fraction = message.number(field).map { $0 / 128 }
            case 73: sensors.speed = message.number(field).map { $0 / 1000 } ?? sensors.speed
            case 78: enhancedAltitude = message.number(field).map { ($0 - 2500) / 5 }
            case 253: break
            default: if message.hasValue(field) { otherFields[Int(field.number)] += 1 }
            }
        }
        if !message.definition.developer.isEmpty { countDeveloperFields(message) }
        if let fraction, let cadence = sensors.cadence { sensors.cadence = cadence + fraction }
        let time = message.time
        let height = enhancedAltitude ?? altitude
        guard let latitude, let longitude else {
            if let time {
                unplaced.append(UnplacedSample(time: time, altitude: height, sensors: sensors))
            } else {
                untimed += 1
            }
            return
        }
        let place = Coordinate(
            latitude: FITProfile.degrees(latitude), longitude: FITProfile.degrees(longitude), altitude: height
        )
        guard place.isValid else {
            outOfRange += 1
            return
        }
        var point = GPXPoint(coordinate: place, time: time)
        point.sensors = sensors
        segment.append(point)
    }

    /// Starts a new segment when the timer starts after a stop.
    private mutating func addEvent(_ message: FITMessage) {
        guard let event = message.integer(0), event == 0 else {
            return countEvent(message.integer(0) ?? -1)
        }
        switch message.integer(1) {
        case 0:
            if isStopped { endSegment() }
            isStopped = false
            if let stop = stopped, let start = message.time, start > stop { pauses.append((stop, start)) }
            stopped = nil
        case 1, 4, 8, 9:
            isStopped = true
            stopped = stopped ?? message.time
        default: break
        }
    }

    private mutating func endSegment() {
        if !segment.isEmpty { segments.append(segment) }
        segment = []
    }

    /// Cuts a segment between the last point before a pause and the first after it.
    private static func split(at pauses: [(stop: Timestamp, start: Timestamp)]) -> ([GPXPoint]) ->
        [[GPXPoint]]
    {
        { segment in
            guard !pauses.isEmpty else { return [segment] }
            var parts: [[GPXPoint]] = []
            var first = 0
            for index in segment.indices.dropFirst() {
                guard let before = segment[index - 1].time, let after = segment[index].time,
                    pauses.contains(where: { before <= $0.stop && after >= $0.start })
                else { continue }
                parts.append(Array(segment[first..<index]))
                first = index
            }
            return parts + [Array(segment[first...])]
        }
    }

    /// Joins the position and the measurements of one moment, which some devices write as records of their own.
    private mutating func joinRecords() {
        guard !segments.isEmpty, !unplaced.isEmpty else { return }
        var waiting: [Timestamp: PointSensors] = [:]
        for sample in unplaced { waiting[sample.time, default: PointSensors()].fill(sample.sensors) }
        var joined: Set<Timestamp> = []
        for index in segments.indices {
            for place in segments[index].indices {
                guard let time = segments[index][place].time, let sensors = waiting[time] else { continue }
                segments[index][place].sensors.fill(sensors)
                joined.insert(time)
            }
        }
        let before = unplaced.count
        unplaced.removeAll { joined.contains($0.time) }
        account.leaveOut("joined with the position of their moment", count: before - unplaced.count)
    }

    /// Makes the times unknown that a device wrote before it set its clock back: its records are in the order in which they were made.
    private mutating func forgetUnsetClock() {
        var last: Timestamp?
        let isInOrder = segments.joined().allSatisfy { point in
            defer { last = point.time ?? last }
            guard let last, let time = point.time else { return true }
            return last.seconds(since: time) <= FITProfile.leastClockStep
        }
        guard !isInOrder else { return }
        let places = segments.indices.flatMap { index in
            segments[index].indices.filter { segments[index][$0].time != nil }.map { (index, $0) }
        }
        let times = places.compactMap { segments[$0.0][$0.1].time }
        func back(at place: Int) -> Double { times[place - 1].seconds(since: times[place]) }
        // Where the times around one go on, that one is wrong, and not the clock.
        func isAlone(_ place: Int) -> Bool {
            guard times.indices.contains(place - 1), times.indices.contains(place + 1) else { return false }
            return (0...FITProfile.leastClockStep).contains(times[place + 1].seconds(since: times[place - 1]))
        }
        guard
            let early = times.indices.dropFirst().last(where: {
                back(at: $0) > FITProfile.leastClockStep && !isAlone($0) && !isAlone($0 - 1)
            }),
            Double(early) <= PlausibleSettings.fewPoints * Double(times.count)
        else { return }
        for (index, place) in places.prefix(early) { segments[index][place].time = nil }
        doubts.append(
            "the device set its clock back by \(ReadableText.duration(back(at: early))): "
                + "the times of the first \(early, of: "point") are unknown")
    }

    /// Of a file without any record that has a time, takes what the device summed up: the lengths of a pool, its laps, or its totals.
    private mutating func takeSummaries() {
        guard segments.isEmpty, unplaced.isEmpty, !isCourse else { return }
        /// Metres of the pool at a time: a device that is taken to another one begins another session.
        func pool(at time: Timestamp) -> Double? {
            let swims = sessions.filter { $0.poolLength != nil }
            let begun = swims.filter { $0.start.map { $0 <= time } ?? true }
            return
                (begun.max { ($0.start?.milliseconds ?? .min) < ($1.start?.milliseconds ?? .min) }
                ?? swims.first)?
                .poolLength
        }
        let spans: [UnplacedSample.Span]
        let words: String
        if !lengths.isEmpty {
            spans = lengths.map { length in
                .init(
                    start: length.start, end: length.end,
                    metres: length.isActive == false
                        ? 0 : length.isActive.flatMap { _ in pool(at: length.start) })
            }
            words = "\(lengths.count, of: "length") of the pool"
        } else if laps.count > 1 {
            spans = laps.compactMap { lap in
                guard let start = lap.start, let seconds = lap.elapsed ?? lap.seconds else { return nil }
                return .init(start: start, end: start.advanced(bySeconds: seconds), metres: lap.distance)
            }
            words = "\(spans.count, of: "lap")"
        } else {
            spans = sessions.compactMap { session in
                guard let start = session.start, let seconds = session.totals.elapsed else { return nil }
                return .init(
                    start: start, end: start.advanced(bySeconds: seconds), metres: session.totals.distance)
            }
            words = "totals"
        }
        unplaced = UnplacedSample.summaries(of: spans)
        guard !unplaced.isEmpty else { return }
        summaries = unplaced.count
        doubts.append("no record has a time: the way and its times are from the device's \(words)")
    }

    /// Seconds by which the pauses of the events are longer than the device's timer stood; `nil` if it does not say.
    private var excessOfPauses: Double? {
        let known = sessions.compactMap { session -> Double? in
            guard let timer = session.totals.timer, let elapsed = session.totals.elapsed,
                let start = session.start
            else { return nil }
            let end = start.advanced(bySeconds: elapsed)
            let paused = pauses.reduce(0) { sum, pause in
                sum + max(0, min(pause.start, end).seconds(since: max(pause.stop, start)))
            }
            let excess = paused - (elapsed - timer)
            return excess > max(FITProfile.leastContradiction, elapsed * FITProfile.contradiction)
                ? excess : 0
        }
        return known.count == sessions.count ? known.reduce(0, +) : nil
    }

    /// Leaves out what a device wrote while its timer stood still: it is no part of the activity, and no total counts it. Where the timer
    /// ran for longer than the events say, the records stay.
    private mutating func leaveOutPauses() {
        guard !pauses.isEmpty else { return }
        var count = 0
        func isPaused(_ time: Timestamp?) -> Bool {
            guard let time else { return false }
            return pauses.contains { $0.stop < time && time < $0.start }
        }
        if let excess = excessOfPauses, excess > 0 {
            let inside = segments.joined().count { isPaused($0.time) } + unplaced.count { isPaused($0.time) }
            guard inside == 0 else {
                return doubts.append(
                    "\(inside, of: "record") within pauses of the events are kept: by its own sum the device's timer ran for "
                        + "\(ReadableText.duration(excess)) of them")
            }
        }
        for index in segments.indices {
            let before = segments[index].count
            segments[index].removeAll { isPaused($0.time) }
            count += before - segments[index].count
        }
        segments.removeAll(where: \.isEmpty)
        let before = unplaced.count
        unplaced.removeAll { isPaused($0.time) }
        count += before - unplaced.count
        account.leaveOut("while the timer stood still", count: count)
        if count > 0 {
            doubts.append("\(count, of: "record") while the timer stood still: left out of the activity")
        }
    }

    /// Says where the device's own timer contradicts its pauses, and that these are used: only they say when.
    private mutating func compareTimer(of session: Session) {
        guard !isCourse, let timer = session.totals.timer, let elapsed = session.totals.elapsed,
            let start = session.start
        else { return }
        let end = start.advanced(bySeconds: elapsed)
        // A stop without a start after it lasts until the end.
        let lastStop = stopped.map { max(0, end.seconds(since: max($0, start))) } ?? 0
        let paused = pauses.reduce(lastStop) { sum, pause in
            sum + max(0, min(pause.start, end).seconds(since: max(pause.stop, start)))
        }
        let stood = elapsed - timer
        guard stood > 0,
            abs(stood - paused) > max(FITProfile.leastContradiction, elapsed * FITProfile.contradiction)
        else {
            return
        }
        let words = "the device's timer stood for \(ReadableText.duration(stood))"
        doubts.append(
            pauses.isEmpty
                ? "\(words), but no event says when: rests are found by speed alone"
                : "\(words), its pauses last \(ReadableText.duration(paused)): the pauses are used, since they say when"
        )
    }

    private mutating func addLap(_ message: FITMessage) {
        var lap = TrackLap()
        lap.start = message.moment(2)
        lap.elapsed = message.number(7, scale: 1000)
        lap.seconds = message.number(8, scale: 1000)
        lap.distance = message.number(9, scale: 100)
        lap.calories = message.number(11)
        lap.maximumSpeed = message.number(111, scale: 1000) ?? message.number(14, scale: 1000)
        lap.averageHeartRate = message.number(15)
        lap.maximumHeartRate = message.number(16)
        lap.averageCadence = message.number(17)
        lap.isRest = message.integer(23) == 1
        lap.trigger = message.integer(24).flatMap {
            FITProfile.lapTriggers.indices.contains(Int($0)) ? FITProfile.lapTriggers[Int($0)] : nil
        }
        laps.append(lap)
    }

    private mutating func addSession(_ message: FITMessage) {
        var session = Session(start: message.moment(2), sport: message.integer(5))
        session.totals.elapsed = message.number(7, scale: 1000)
        session.totals.timer = message.number(8, scale: 1000)
        session.totals.distance = message.number(9, scale: 100)
        session.totals.calories = message.number(11)
        session.totals.averageHeartRate = message.number(16)
        session.totals.maximumHeartRate = message.number(17)
        session.totals.ascent = message.number(22)
        session.totals.descent = message.number(23)
        session.poolLength = message.number(44, scale: 100)
        sessions.append(session)
    }

    private mutating func addFile(_ message: FITMessage) {
        isCourse = isCourse || message.integer(0) == FITProfile.courseFile
        fileType = message.integer(0) ?? fileType
        created = message.moment(4) ?? created
        guard device == nil else { return }
        let maker = message.integer(1)
        let words = [
            message.text(8) ?? maker.map { FITProfile.manufacturers[$0] ?? "manufacturer \($0)" },
            message.integer(2).map { "product \($0)" }, message.integer(3).map { "serial \($0)" },
        ].compactMap { $0 }
        device = words.joined(separator: ", ").nonEmpty
    }

    private mutating func addCoursePoint(_ message: FITMessage) {
        coursePoints += 1
        guard let latitude = message.integer(2), let longitude = message.integer(3) else {
            return leaveOutCoursePoint()
        }
        let place = Coordinate(
            latitude: FITProfile.degrees(latitude), longitude: FITProfile.degrees(longitude))
        guard place.isValid else { return leaveOutCoursePoint() }
        let type = message.integer(5).flatMap {
            FITProfile.coursePoints.indices.contains(Int($0)) ? FITProfile.coursePoints[Int($0)] : nil
        }
        waypoints.append(
            GPXPoint(coordinate: place, time: message.moment(1), name: message.text(6), type: type))
    }

    private mutating func addLocation(_ message: FITMessage) {
        locations += 1
        let altitude = message.number(4, scale: 5, offset: 500)
        guard let latitude = message.integer(1), let longitude = message.integer(2),
            case let place = Coordinate(
                latitude: FITProfile.degrees(latitude), longitude: FITProfile.degrees(longitude),
                altitude: altitude), place.isValid
        else {
            account.leaveOut("places without a position")
            placesWithoutPosition += 1
            return
        }
        waypoints.append(
            GPXPoint(
                coordinate: place, time: message.time, name: message.text(0), description: message.text(6)))
    }

    private mutating func addLength(_ message: FITMessage) {
        guard let start = message.moment(2), let seconds = message.number(3, scale: 1000) else { return }
        lengths.append(
            (
                start, start.advanced(bySeconds: seconds),
                message.integer(12).map { $0 == FITProfile.activeLength }
            ))
    }

    private mutating func leaveOutCoursePoint() {
        account.leaveOut("course points without a position")
        withoutPlace += 1
    }

    private mutating func countMessage(_ number: UInt16) {
        if let index = otherMessages.firstIndex(where: { $0.number == number }) {
            otherMessages[index].count += 1
        } else {
            otherMessages.append((number, 1))
        }
    }

    private mutating func countEvent(_ number: Int64) {
        if let index = otherEvents.firstIndex(where: { $0.number == number }) {
            otherEvents[index].count += 1
        } else {
            otherEvents.append((number, 1))
        }
    }

    private mutating func countValues(_ message: FITMessage, _ name: String, besides kept: Set<UInt8>) {
        for field in message.definition.fields where !kept.contains(field.number) && message.hasValue(field) {
            if let index = otherValues.firstIndex(where: { $0.message == name && $0.field == field.number }) {
                otherValues[index].count += 1
            } else {
                otherValues.append((name, field.number, 1))
            }
        }
    }

    private mutating func countDeveloperFields(_ message: FITMessage) {
        for (index, number) in message.definition.developer {
            if let known = developerFields.firstIndex(where: { $0.index == index && $0.number == number }) {
                developerFields[known].count += 1
            } else {
                developerFields.append((index, number, 1))
            }
        }
    }

    // MARK: The whole

    mutating func document() -> GPXDocument {
        endSegment()
        forgetUnsetClock()
        joinRecords()
        takeSummaries()
        leaveOutPauses()
        segments = segments.flatMap(Self.split(at: pauses))
        for session in sessions { compareTimer(of: session) }
        var document = GPXDocument()
        document.creator = device
        document.time = created
        document.name = name
        document.waypoints = waypoints
        document.tracks = tracks()
        document.notices = allNotices()
        if placesWithoutPosition > 0 {
            doubts.append("\(placesWithoutPosition, of: "saved place") without a position, left out")
        }
        document.doubts = doubts
        account.seen = count + coursePoints + locations + summaries
        account.leaveOut("without a position and a time", count: untimed)
        account.leaveOut("with a position out of range", count: outOfRange)
        let placed = segments.reduce(0) { $0 + $1.count }
        let used = document.tracks.reduce(0) { $0 + $1.pointCount }
        let kept = document.tracks.reduce(0) { $0 + $1.unplaced.count }
        account.twice = max(0, used - placed) + max(0, kept - unplaced.count)
        document.account = account
        return document
    }

    /// One track per session; records before the first session belong to it.
    private func tracks() -> [GPXLine] {
        let ordered = sessions.sorted { ($0.start?.milliseconds ?? .min) < ($1.start?.milliseconds ?? .min) }
        func line(
            _ session: Session?, _ segments: [[GPXPoint]], _ laps: [TrackLap], _ unplaced: [UnplacedSample]
        )
            -> GPXLine
        {
            var line = GPXLine(name: name, segments: segments)
            line.type = session?.sport.map {
                FITProfile.sports.indices.contains(Int($0)) ? FITProfile.sports[Int($0)] : "sport \($0)"
            }
            if line.type == "generic" { line.type = nil }
            line.calories = session?.totals.calories
            line.totals = session?.totals
            line.laps = laps
            line.device = device
            line.isPlan = isCourse
            line.unplaced = unplaced
            return line
        }
        guard ordered.count > 1, ordered.allSatisfy({ $0.start != nil }) else {
            return segments.isEmpty && unplaced.isEmpty ? [] : [line(ordered.first, segments, laps, unplaced)]
        }
        let starts = ordered.dropFirst().compactMap(\.start)
        func number(_ time: Timestamp?) -> Int {
            guard let time else { return 0 }
            return starts.prefix { $0 <= time }.count
        }
        return ordered.indices.compactMap { index in
            /// Whether a record is where this session ends and the next one begins, and so a part of both.
            func isEnd(_ time: Timestamp?) -> Bool {
                guard let time, index + 1 < ordered.count, let start = ordered[index].start,
                    let elapsed = ordered[index].totals.elapsed
                else { return false }
                return time == starts[index]
                    && time.seconds(since: start) <= elapsed + FITProfile.boundary
            }
            func isOwn(_ time: Timestamp?) -> Bool { number(time) == index || isEnd(time) }
            let own = segments.map { $0.filter { isOwn($0.time) } }.filter { !$0.isEmpty }
            let samples = unplaced.filter { isOwn($0.time) }
            guard !own.isEmpty || !samples.isEmpty else { return nil }
            return line(
                ordered[index], own, laps.filter { number($0.start) == index }, samples)
        }
    }

    private func allNotices() -> [String] {
        var all = notices
        if isCourse { all.append(GPXLine.coursePlan) }
        if let words = fileType.flatMap({ FITProfile.fileTypes[$0] }), count == 0 {
            all.insert("the file says that it is one of \(words), no recording", at: 0)
        }
        if withoutPlace > 0 { all.append("\(withoutPlace, of: "course point") without a position, left out") }
        if untimed > 0 { all.append("\(untimed) records have neither a position nor a time") }
        if outOfRange > 0 { all.append("\(outOfRange) records have a position out of range") }
        func list(_ what: String, _ found: [(number: Int, count: Int)]) {
            if found.isEmpty { return }
            let words = found.sorted { $0.number < $1.number }.map { "\($0.number) (\($0.count) times)" }
            all.append("ignored \(what): \(words.joined(separator: ", "))")
        }
        let records = otherFields.indices.filter { otherFields[$0] > 0 }.map { number in
            "\(FITProfile.recordFields[number] ?? "field \(number)") (\(otherFields[number], of: "time"))"
        }
        if !records.isEmpty {
            all.append("values of records that are not kept: \(records.joined(separator: ", "))")
        }
        for name in ["lap", "session", "activity"] {
            list(
                "\(name) fields", otherValues.filter { $0.message == name }.map { (Int($0.field), $0.count) })
        }
        list("events", otherEvents.map { (Int($0.number), $0.count) })
        for field in developerFields {
            let name = developerNames.first { $0.index == field.index && $0.number == field.number }?.name
            all.append(
                "developer field \(name ?? "\(field.index)/\(field.number)") was ignored (\(field.count) times)"
            )
        }
        if !otherMessages.isEmpty {
            let words = otherMessages.sorted { $0.number < $1.number }.map { "\($0.number) (\($0.count))" }
            all.append("ignored messages: \(words.joined(separator: ", "))")
        }
        return all
    }
}
