import CivilTime
import Core
import Geodesy

/// Builds tracks, laps and waypoints from FIT messages.
struct FITBuilder {
    struct Session {
        var start: Timestamp?
        var sport: Int64?
        var totals = DeviceTotals()
        /// Metres of the pool.
        var poolLength: Double?

        /// Seconds that it lasted, as far as it says.
        var length: Double { totals.elapsed ?? totals.timer ?? 0 }
    }

    /// Points and samples read.
    private(set) var count = 0
    var segments: [[GPXPoint]] = []
    var segment: [GPXPoint] = []
    var unplaced: [UnplacedSample] = []
    private var untimed = 0
    private var withoutPlace = 0
    private var outOfRange = 0
    private var isStopped = false
    /// When the timer stood still. Some devices write all events before or after the records.
    var timer = FITTimer()
    var laps: [TrackLap] = []
    /// When each lap was written, which is when it ended.
    var lapEnds: [Timestamp?] = []
    var strap = FITStrapMemory()
    var sessions: [Session] = []
    /// The ends of lengths of a pool, with whether somebody swam; `nil` if the device does not say.
    var lengths: [(start: Timestamp, end: Timestamp, isActive: Bool?)] = []
    /// What the file is, if it is no recording.
    private var fileType: Int64?
    private var locations = 0
    private var placesWithoutPosition = 0
    private var waypoints: [GPXPoint] = []
    private var name: String?
    private var created: Timestamp?
    /// Whether the file says that it is a course, which is a plan.
    var isCourse = false
    var device: String?
    private var otherFields = [Int](repeating: 0, count: 256)
    /// Fields of laps, sessions and similar messages that have a value and are not kept, by the message's name.
    private var otherValues: [String: [UInt8: Int]] = [:]
    private var otherEvents: [Int64: Int] = [:]
    private var otherMessages: [UInt16: Int] = [:]
    /// The fields of developers that are not kept, in file order.
    private var developerFields: [FITDeveloperField.Key] = []
    private var developerCounts: [FITDeveloperField.Key: Int] = [:]
    private var developerDescriptions: [FITDeveloperField.Key: FITDeveloperField]
    /// Fields of developers in messages before which no description stood.
    private var undescribed: Set<FITDeveloperField.Key> = []
    var account = PointAccount()
    private var coursePoints = 0
    /// Measurements that were made of lengths, laps or totals.
    var summaries = 0
    private var notices: [String] = []
    var doubts: [String] = []

    /// A builder that knows descriptions of fields of developers from elsewhere.
    init(knowing descriptions: [FITDeveloperField.Key: FITDeveloperField] = [:]) {
        developerDescriptions = descriptions
    }

    /// The descriptions of the file, if some of a measurement stand behind messages that have it; `nil` otherwise.
    var lateDescriptions: [FITDeveloperField.Key: FITDeveloperField]? {
        undescribed.contains { developerDescriptions[$0]?.kind != nil } ? developerDescriptions : nil
    }

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
        case FITProfile.Message.heartRates: strap.add(message)
        case FITProfile.Message.fieldDescription:
            // A description further on in the file replaces an earlier one.
            if let described = FITDeveloperField(message) { developerDescriptions[described.key] = described }
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
        if !message.definition.developer.isEmpty { addDeveloperFields(message, to: &sensors) }
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
        let type = message.integer(1)
        timer.add(type, at: message.time)
        if type == FITProfile.timerStart {
            if isStopped { endSegment() }
            isStopped = false
        } else if let type, FITProfile.timerStops.contains(type) {
            isStopped = true
        }
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
        lapEnds.append(message.time)
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

    private mutating func countMessage(_ number: UInt16) { otherMessages[number, default: 0] += 1 }

    private mutating func countEvent(_ number: Int64) { otherEvents[number, default: 0] += 1 }

    private mutating func countValues(_ message: FITMessage, _ name: String, besides kept: Set<UInt8>) {
        for field in message.definition.fields where !kept.contains(field.number) && message.hasValue(field) {
            otherValues[name, default: [:]][field.number, default: 0] += 1
        }
    }

    /// Takes the measurements of developers that the device itself did not have, and counts the others.
    private mutating func addDeveloperFields(_ message: FITMessage, to sensors: inout PointSensors) {
        for field in message.definition.developer {
            let key = FITDeveloperField.Key(index: field.index, number: field.number)
            let described = developerDescriptions[key]
            if described == nil { undescribed.insert(key) }
            if let described, let kind = described.kind, sensors[kind] == nil {
                sensors[kind] = described.value(field, in: message)
                continue
            }
            if developerCounts[key] == nil { developerFields.append(key) }
            developerCounts[key, default: 0] += 1
        }
    }

    // MARK: The whole

    mutating func document() -> GPXDocument {
        endSegment()
        timer.putInOrder()
        correctLapStarts()
        orderLaps()
        dropRepeatedSessions()
        forgetUnsetClock()
        joinRecords()
        takeStrapMemory()
        takeLengths()
        takeSummaries()
        leaveOutPauses()
        splitAtPauses()
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
            return starts.partitionIndex { $0 > time }
        }
        /// The session of a record, after the one that ends there, of which it is a part, too.
        func numbers(_ time: Timestamp?) -> [Int] {
            let own = number(time)
            guard own > 0, let time, time == starts[own - 1], let start = ordered[own - 1].start,
                let elapsed = ordered[own - 1].totals.elapsed,
                time.seconds(since: start) <= elapsed + FITProfile.boundary
            else { return [own] }
            return [own - 1, own]
        }
        var parts = [[[GPXPoint]]](repeating: [], count: ordered.count)
        for segment in segments {
            var begun: Set<Int> = []
            for point in segment {
                for number in numbers(point.time) {
                    if begun.insert(number).inserted { parts[number].append([]) }
                    parts[number][parts[number].count - 1].append(point)
                }
            }
        }
        var samples = [[UnplacedSample]](repeating: [], count: ordered.count)
        for sample in unplaced { for number in numbers(sample.time) { samples[number].append(sample) } }
        let laps = Dictionary(grouping: laps) { number($0.start) }
        return ordered.indices.compactMap { index in
            guard !parts[index].isEmpty || !samples[index].isEmpty else { return nil }
            return line(ordered[index], parts[index], laps[index] ?? [], samples[index])
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
        func list(_ what: String, _ found: [(number: Int, count: Int)], _ name: (Int) -> String) {
            if found.isEmpty { return }
            let words = found.sorted { $0.number < $1.number }.map {
                "\(name($0.number)) (\($0.count, of: "time"))"
            }
            all.append("ignored \(what): \(words.joined(separator: ", "))")
        }
        let records = otherFields.indices.filter { otherFields[$0] > 0 }.map { number in
            "\(FITProfile.recordFields[number] ?? "field \(number)") (\(otherFields[number], of: "time"))"
        }
        if !records.isEmpty {
            all.append("values of records that are not kept: \(records.joined(separator: ", "))")
        }
        for name in ["lap", "session", "activity"] {
            let values = (otherValues[name] ?? [:]).map { (Int($0.key), $0.value) }
            list("\(name) fields", values) { FITNames.field($0, of: name) }
        }
        list("events", otherEvents.map { (Int($0.key), $0.value) }, FITNames.event)
        for field in developerFields {
            let name = developerDescriptions[field]?.name ?? field.name
            all.append("developer field \(name) was ignored (\(developerCounts[field] ?? 0, of: "time"))")
        }
        if !otherMessages.isEmpty {
            let words = otherMessages.sorted { $0.key < $1.key }.map {
                "\(FITNames.message(Int($0.key))) (\($0.value))"
            }
            all.append("ignored messages: \(words.joined(separator: ", "))")
        }
        return all
    }
}
