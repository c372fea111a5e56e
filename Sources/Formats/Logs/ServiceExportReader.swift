import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Reads the activities that services of watches export in forms of their own: Polar Flow (`training-session-….json`), Suunto (JSON
/// of its app, SML of Moveslink), Nike Run Club and the streams of Strava's interface.
enum ServiceExportReader {
    /// Whether JSON that begins so is one.
    static func isExport(_ head: String) -> Bool {
        guard let first = head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }),
            first == "{" || first == "["
        else { return false }
        return isSuunto(head) || isPolar(head) || isStreams(head) || isNike(head)
    }

    private static func isSuunto(_ head: String) -> Bool {
        head.contains("\"DeviceLog\"") || head.contains("\"suunto/sml\"")
            || head.contains("\"Samples\"") && head.contains("\"TimeISO8601\"")
    }

    private static func isPolar(_ head: String) -> Bool {
        head.contains("\"exercises\"") && head.contains("\"startTime\"")
    }

    private static func isNike(_ head: String) -> Bool {
        head.contains("\"metrics\"") && head.contains("\"start_epoch_ms\"")
    }

    private static func isStreams(_ head: String) -> Bool {
        head.contains("\"latlng\"") && (head.contains("\"series_type\"") || head.contains("\"data\""))
    }

    /// The activities of a file.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        let head = HeadText(try source.bytes(at: 0, count: headLength))
        if case .element = head.start {
            return try SuuntoMarkup.document(source, check: check)
        }
        var repaired: [String] = []
        var document = try JSONSource.read(source, check: check, repairs: { repaired = $0.words }) { tree in
            var activities: [ServiceActivity] = []
            let sessions = (tree.items ?? [tree]).filter { $0["exercises"]?.items != nil }
            if !sessions.isEmpty {
                activities = sessions.flatMap { session in
                    (session["exercises"]?.items ?? []).map { PolarExport.activity($0, of: session) }
                }
            } else if tree["DeviceLog"] != nil || tree["Samples"] != nil {
                activities = [SuuntoExport.activity(tree)]
            } else if tree["metrics"] != nil {
                activities = [NikeExport.activity(tree)]
            } else if let streams = StreamsExport(tree) {
                activities = [streams.activity()]
            }
            if activities.isEmpty {
                guard isSuunto(head.text) else {
                    // Another program's records that only have the same words.
                    var records = PositionRecordsBuilder()
                    records.add(tree)
                    return try records.recording(source.name)
                }
                activities = [SuuntoExport.activity(.object([.init("Samples", tree)]))]
            }
            return try Self.document(activities, source.name)
        }
        document.doubts += repaired
        return document
    }

    private static let headLength = 4096

    /// The document of activities.
    fileprivate static func document(_ activities: [ServiceActivity], _ name: String) throws -> GPXDocument {
        var document = GPXDocument()
        var account = PointAccount()
        for var activity in activities {
            let line = activity.joined()
            account.add(activity.account)
            document.notices += activity.unread.kinds.map { "\($0.what): not read (\($0.count))" }
            if line.pointCount > 0 || !line.unplaced.isEmpty {
                document.tracks.append(line)
            } else {
                document.notices += line.doubts + ["an activity without any measurement: left out"]
            }
        }
        guard document.tracks.reduce(0, { $0 + $1.pointCount }) <= GPXSettings.mostPoints else {
            throw ImportErrors.tooLarge("\(name) has more than \(GPXSettings.mostPoints) points")
        }
        document.account = account
        return document
    }
}

/// A training session of Polar Flow. Times are local; an offset in minutes stands beside them.
private enum PolarExport {
    static func activity(_ exercise: JSONTree, of session: JSONTree) -> ServiceActivity {
        var made = ServiceActivity()
        let minutes = [exercise, session].lazy.compactMap { tree in
            (tree["timezoneOffset"] ?? tree["timezoneOffsetMinutes"] ?? tree["timeZoneOffset"])?.number
        }.first { ServiceExportSettings.offsets.contains($0) }
        var assumed = 0
        func moment(_ tree: JSONTree?) -> Timestamp? {
            guard let text = tree?.text else { return nil }
            if ISO8601.hasZone(Array(text.utf8)[...]) { return ISO8601.timestamp(text) }
            if minutes == nil { assumed += 1 }
            return ISO8601.timestamp(text + "Z")?.advanced(
                bySeconds: -(minutes ?? 0) * ServiceExportSettings.minute)
        }
        made.line.name = session["name"]?.text
        made.line.description = session["note"]?.text
        let sport = (exercise["sport"]?.text ?? exercise["sport"]?["id"]?.text)?.lowercased()
        made.line.type = sport.map(TrackActivity.named)
        let samples = exercise["samples"]
        for position in samples?["recordedRoute"]?.items ?? [] {
            made.add(
                moment(position["dateTime"]),
                (position["latitude"]?.number, position["longitude"]?.number),
                altitude: position["altitude"]?.number)
        }
        let route = exercise["routes"]?["route"]
        let start = moment(route?["startTime"]) ?? moment(exercise["startTime"])
        for position in route?["wayPoints"]?.items ?? [] {
            let elapsed = position["elapsedMillis"]?.number
            made.add(
                elapsed.flatMap { start?.advanced(bySeconds: $0 / 1000) },
                (position["latitude"]?.number, position["longitude"]?.number),
                altitude: position["altitude"]?.number)
        }
        for list in samples?.members ?? [] where list.key != "recordedRoute" {
            guard let items = list.value.items else { continue }
            guard let kind = kinds[list.key] else {
                made.unread.add("values of \(list.key)", count: items.count)
                continue
            }
            for item in items {
                guard let value = item["value"]?.number else { continue }
                add(value, kind, at: moment(item["dateTime"]), to: &made)
            }
        }
        if assumed > 0 { made.doubts.add("times without a zone, taken as UTC", count: assumed) }
        var totals = DeviceTotals()
        totals.distance = exercise["distance"]?.number ?? exercise["distanceMeters"]?.number
        totals.ascent = exercise["ascent"]?.number
        totals.descent = exercise["descent"]?.number
        totals.calories = exercise["kiloCalories"]?.number ?? exercise["calories"]?.number
        totals.averageHeartRate = exercise["heartRate"]?["avg"]?.number
        totals.maximumHeartRate = exercise["heartRate"]?["max"]?.number
        made.line.totals = totals
        return made
    }

    private enum Kind { case altitude, heartRate, cadence, power, temperature, speed, distance }

    private static let kinds: [String: Kind] = [
        "altitude": .altitude, "heartRate": .heartRate, "cadence": .cadence, "power": .power,
        "temperature": .temperature, "speed": .speed, "distance": .distance,
    ]

    private static func add(
        _ value: Double, _ kind: Kind, at time: Timestamp?, to made: inout ServiceActivity
    ) {
        var sensors = PointSensors()
        switch kind {
        case .altitude: return made.add(time, altitude: value)
        case .heartRate: sensors.heartRate = value
        case .cadence: sensors.cadence = value
        case .power: sensors.power = value
        case .temperature: sensors.temperature = value
        case .speed: sensors.speed = value * ServiceExportSettings.kilometrePerHour
        case .distance: sensors.distance = value
        }
        made.add(time, nil, sensors)
    }
}

/// Samples of Suunto, in JSON or as elements of SML: angles in radians, rates in Hertz, temperatures in Kelvin.
private enum SuuntoExport {
    static func activity(_ tree: JSONTree) -> ServiceActivity {
        let log = tree["DeviceLog"] ?? tree
        let samples = log["Samples"]?.items ?? []
        let read = samples.map { sample -> (time: JSONTree?, values: JSONTree) in
            let own = sample["Attributes"]?["suunto/sml"]?["Sample"] ?? sample
            return (sample["TimeISO8601"] ?? sample["UTC"], own)
        }
        return activity(
            read.map { sample in
                { name in
                    let tree = name == time ? sample.time ?? sample.values[utc] : sample.values[name]
                    return tree.flatMap { $0.text ?? $0.number.map { String($0) } }
                }
            },
            header: { name in
                (log["Header"]?[name]).flatMap { $0.text ?? $0.number.map { String($0) } }
            })
    }

    /// The name under which the time of a sample is asked for.
    static let time = ""
    static let utc = "UTC"

    /// The activity of samples that are asked for their values by name.
    static func activity(
        _ samples: [(String) -> String?], header: (String) -> String?
    ) -> ServiceActivity {
        var made = ServiceActivity()
        func number(_ text: String?) -> Double? { text.flatMap { DecimalBytes.decimal($0) } }
        // Some programs convert the angles.
        let limits = ServiceExportSettings.mostRadians
        // A single impossible angle says nothing of the unit.
        let placed = samples.filter { number($0("Latitude")) != nil }
        let beyond = placed.count { sample in
            abs(number(sample("Latitude")) ?? 0) > limits.latitude
                || abs(number(sample("Longitude")) ?? 0) > limits.longitude
        }
        let isDegrees = 2 * beyond > placed.count
        let unit = isDegrees ? 1 : ServiceExportSettings.radian
        let start = header("DateTime")
        for sample in samples {
            var text = sample(time) ?? sample("LocalTime")
            var elapsed: Double?
            if text == nil, let seconds = number(sample("Time")) { (text, elapsed) = (start, seconds) }
            var moment: Timestamp?
            if let text {
                let hasZone = ISO8601.hasZone(Array(text.utf8)[...])
                moment = ISO8601.timestamp(hasZone ? text : text + "Z")
                if !hasZone, moment != nil { made.doubts.add("times without a zone, taken as UTC") }
                moment = elapsed.flatMap { moment?.advanced(bySeconds: $0) } ?? moment
            }
            var sensors = PointSensors()
            sensors.heartRate = number(sample("HR")).map { $0 * ServiceExportSettings.perMinute }
            sensors.cadence = number(sample("Cadence")).map { $0 * ServiceExportSettings.perMinute }
            sensors.temperature = number(sample("Temperature")).map { $0 - ServiceExportSettings.celsius }
            sensors.speed = number(sample("Speed"))
            sensors.power = number(sample("Power"))
            sensors.distance = number(sample("Distance"))
            let angles = (
                latitude: number(sample("Latitude")).map { $0 * unit },
                longitude: number(sample("Longitude")).map { $0 * unit }
            )
            made.add(
                moment, angles, altitude: number(sample("Altitude")) ?? number(sample("GPSAltitude")), sensors
            )
        }
        var totals = DeviceTotals()
        totals.distance = number(header("Distance"))
        totals.ascent = number(header("Ascent"))
        totals.descent = number(header("Descent"))
        totals.timer = number(header("Duration"))
        totals.calories = number(header("Energy")).map { $0 / ServiceExportSettings.kilocalorie }
        made.line.totals = totals
        made.line.type = header("Activity").map(TrackActivity.named)
        return made
    }
}

/// The streams of an activity from Strava's interface: a list for each kind of value. Times count from a start that stands elsewhere.
private struct StreamsExport {
    private let streams: [String: [JSONTree]]
    private let start: Timestamp?

    init?(_ tree: JSONTree) {
        var streams: [String: [JSONTree]] = [:]
        for stream in tree.items ?? [] {
            guard let type = stream["type"]?.text else { continue }
            streams[type] = stream["data"]?.items
        }
        for stream in tree.members ?? [] { streams[stream.key] = stream.value["data"]?.items }
        guard streams["latlng"] != nil else { return nil }
        self.streams = streams
        start = tree["start_date"]?.text.flatMap { ISO8601.timestamp($0) }
    }

    private static let read = [
        "latlng", "time", "altitude", "heartrate", "cadence", "watts", "temp", "velocity_smooth", "distance",
    ]

    func activity() -> ServiceActivity {
        var made = ServiceActivity()
        for (index, place) in (streams["latlng"] ?? []).enumerated() {
            func value(_ name: String) -> Double? {
                guard let list = streams[name], list.indices.contains(index) else { return nil }
                return list[index].number
            }
            var sensors = PointSensors()
            sensors.heartRate = value("heartrate")
            sensors.cadence = value("cadence")
            sensors.power = value("watts")
            sensors.temperature = value("temp")
            sensors.speed = value("velocity_smooth")
            sensors.distance = value("distance")
            if start == nil, value("time") != nil {
                made.doubts.add("times that count from a start which the file does not name: unknown")
            }
            let angles = place.items ?? []
            made.add(
                value("time").flatMap { start?.advanced(bySeconds: $0) },
                (angles.first?.number ?? .nan, angles.count > 1 ? angles[1].number : nil),
                altitude: value("altitude"), sensors)
        }
        for (name, list) in streams.sorted(by: { $0.key < $1.key }) where !Self.read.contains(name) {
            made.unread.add("values of \(name)", count: list.count)
        }
        return made
    }
}

/// A run of Nike Run Club: a list for each kind of value, whose items have moments.
private enum NikeExport {
    static func activity(_ tree: JSONTree) -> ServiceActivity {
        var made = ServiceActivity()
        made.line.name = tree["tags"]?["com.nike.name"]?.text
        made.line.type = tree["type"]?.text.map(TrackActivity.named)
        let metrics = tree["metrics"]?.items ?? []
        func items(_ type: String) -> [JSONTree] {
            metrics.filter { $0["type"]?.text == type }.flatMap { $0["values"]?.items ?? [] }
        }
        func moment(_ item: JSONTree) -> Double? { item["start_epoch_ms"]?.number }
        var longitudes: [Double: Double] = [:]
        for item in items("longitude") {
            if let start = moment(item) { longitudes[start] = item["value"]?.number }
        }
        for item in items("latitude") {
            let start = moment(item)
            made.add(
                start.flatMap { LogSettings.moment(seconds: $0 / 1000) },
                (item["value"]?.number ?? .nan, start.flatMap { longitudes[$0] }))
        }
        for metric in metrics {
            guard let type = metric["type"]?.text, !["latitude", "longitude"].contains(type) else { continue }
            let values = metric["values"]?.items ?? []
            guard ["elevation", "heart_rate", "cadence"].contains(type) else {
                if !values.isEmpty { made.unread.add("values of \(type)", count: values.count) }
                continue
            }
            for item in values {
                let time = moment(item).flatMap { LogSettings.moment(seconds: $0 / 1000) }
                let value = item["value"]?.number
                var sensors = PointSensors()
                if type == "heart_rate" { sensors.heartRate = value }
                if type == "cadence" { sensors.cadence = value }
                made.add(time, nil, altitude: type == "elevation" ? value : nil, sensors)
            }
        }
        var totals = DeviceTotals()
        totals.timer = tree["active_duration_ms"]?.number.map { $0 / 1000 }
        for summary in tree["summaries"]?.items ?? [] where summary["summary"]?.text == "total" {
            let value = summary["value"]?.number
            switch summary["metric"]?.text {
            case "distance": totals.distance = value.map { $0 * 1000 }
            case "calories": totals.calories = value
            case "ascent": totals.ascent = value
            case "descent": totals.descent = value
            default: break
            }
        }
        made.line.totals = totals
        return made
    }
}

/// The samples of SML, as Suunto's Moveslink writes it.
private final class SuuntoMarkup: XMLDelegate {
    private var stack: [String] = []
    private var text: [UInt8] = []
    private var header: [String: String] = [:]
    private var sample: [String: String] = [:]
    private var samples: [[String: String]] = []

    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        let markup = SuuntoMarkup()
        var damage: [String] = []
        let repair = XMLRepair()
        do {
            try XMLPushParser.read(
                source, into: markup,
                failures: .init(malformed: ImportErrors.format, hostile: ImportErrors.tooLarge),
                repair: repair, check: check)
        } catch let error as RutterError where error.code == ImportErrors.format.code {
            guard !markup.samples.isEmpty else { throw error }
            damage = [error.endOfFile]
        }
        var document = try ServiceExportReader.document(
            [
                SuuntoExport.activity(
                    markup.samples.map { sample in
                        { name in sample[name == SuuntoExport.time ? SuuntoExport.utc : name] }
                    }, header: { markup.header[$0] })
            ], source.name)
        document.doubts = damage + repair.doubts + document.doubts
        return document
    }

    func start(
        _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
    ) throws {
        stack.append(String(cString: name))
        text = []
        if stack.last == "Sample" { sample = [:] }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard text.count + bytes.count <= Self.longestValue else { return }
        text += bytes
    }

    /// Bytes of the longest value that is a number or a time.
    private static let longestValue = 64

    func end() throws {
        guard let name = stack.popLast() else { return }
        let value = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        text = []
        switch stack.last {
        case "Sample" where !value.isEmpty: sample[name] = value
        case "Header" where !value.isEmpty: header[name] = value
        default: break
        }
        guard name == "Sample", stack.last == "Samples" else { return }
        guard samples.count < GPXSettings.mostPoints else {
            throw ImportErrors.tooLarge("the file has more than \(GPXSettings.mostPoints) samples")
        }
        samples.append(sample)
    }
}
