import Archives
import CivilTime
import Core
import Geodesy

/// Reads logs of receivers in NMEA 0183: `RMC` has position, day, speed and course, `GGA` and `GLL` a position and the time of day,
/// `ZDA` the day, `WPL` a waypoint. Sentences of one time are one point.
enum NMEAReader {
    /// Whether a text begins with sentences of positions, perhaps after something else in the line.
    static func isLog(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            guard let start = line.firstIndex(of: "$") else { return false }
            let fields = line[start...].split(separator: ",", maxSplits: 1)
            return fields.count == 2 && fields[0].count == 6
                && NMEABuilder.kinds.contains(String(fields[0].suffix(3)))
        }
    }

    /// The track of a log.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        try JSONSource.checkSize(source)
        let bytes = try source.all()
        var builder = NMEABuilder()
        // A program that strips the checksums strips all of them.
        builder.hasChecksums = bytes.contains(UInt8(ascii: "*"))
        builder.namedDay = day(inName: source.name)
        var count = 0
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let start = line.firstIndex(of: UInt8(ascii: "$")) else { continue }
            builder.add(line[start...].dropFirst())
            count += 1
            if count % GPXSettings.checkInterval == 0 { try check() }
            guard builder.log.points.count <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge(
                    "\(source.name) has more than \(GPXSettings.mostPoints) points")
            }
        }
        return builder.document()
    }

    /// Days since 1970 of the first date in the name of a file, such as `2026-07-04` or `20260704`; `nil` without one.
    static func day(inName name: String) -> Int? {
        var digits = ""
        for character in name + " " {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else if !["-", "_", "."].contains(character) || ![4, 6].contains(digits.count) {
                digits = ""
            }
            guard digits.count == 8, let number = Int(digits), (1990..<2100).contains(number / 10_000) else {
                continue
            }
            let date = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
            if let date { return date.daysSinceEpoch }
        }
        return nil
    }
}

/// Builds points from sentences.
struct NMEABuilder {
    /// The kinds of sentence with positions or days.
    static let kinds: Set<String> = ["RMC", "GGA", "GLL", "ZDA", "WPL"]
    /// The quality of a position by dead reckoning.
    private static let estimated = 6
    /// The mode of such a position in the sentences that have no quality.
    private static let estimatedMode = "E"
    private static let estimatedWords = "positions that the receiver estimated without satellites, left out"

    private(set) var log = LogPoints()
    private var waypoints: [GPXPoint] = []
    /// Whether the log has checksums; without any, its sentences are taken as they are.
    var hasChecksums = true
    /// The day in the name of the file, for a log without dates.
    var namedDay: Int?
    /// Days since 1970 of the last date, as the log says it.
    private var day: Int?
    /// The last time of day in milliseconds, to know midnight.
    private var lastTime: Int64?
    /// The time of day of the points that came before the first date.
    private var waiting: [(place: Int, time: Int64)] = []
    /// The time of day of the last point, which further sentences of that time complete.
    private var pointTime: Int64?

    /// Reads a sentence after its `$`.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        let body = bytes.prefix { $0 != UInt8(ascii: "*") }
        let fields = String(decoding: body, as: UTF8.self)
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let kind = fields.first?.suffix(3), Self.kinds.contains(String(kind)) else { return }
        let stated = bytes.dropFirst(body.count + 1).prefix(2)
        if !hasChecksums {
            log.doubts.add("sentences without a checksum, as all of this log, taken as they are")
        } else if stated.isEmpty {
            log.account.seen += 1
            return log.leaveOut("without a checksum", "sentences without a checksum, left out")
        }
        guard !hasChecksums || UInt8(String(decoding: stated, as: UTF8.self), radix: 16) == body.reduce(0, ^)
        else {
            log.account.seen += 1
            return log.leaveOut("whose checksum is wrong", "sentences whose checksum is wrong, left out")
        }
        func field(_ index: Int) -> String { fields.indices.contains(index) ? fields[index] : "" }
        switch kind {
        case "WPL":
            log.account.seen += 1
            let place = Coordinate(
                log: Self.degrees(field(1), field(2), "N", "S"),
                Self.degrees(field(3), field(4), "E", "W"))
            guard let place else {
                return log.leaveOut("waypoints without a position", "waypoints without a position, left out")
            }
            waypoints.append(GPXPoint(coordinate: place, name: field(5).nonEmpty))
        case "ZDA":
            let date = field(4).count == 4 ? Self.day(field(2) + field(3), year: Int(field(4))) : nil
            see(time: Self.time(field(1)), date: date)
        case "RMC":
            let date = Self.day(field(9), year: nil)
            let time = Self.time(field(1))
            see(time: time, date: date)
            guard field(2) == "A" else {
                return leaveOutUnfixed("without a fix", "sentences without a fix, left out")
            }
            guard field(12) != Self.estimatedMode else {
                return leaveOutUnfixed("estimated without satellites", Self.estimatedWords)
            }
            var sensors = PointSensors()
            sensors.speed = DecimalBytes.decimal(field(7)).map { $0 * LogSettings.knot }
            sensors.course = DecimalBytes.decimal(field(8))
            place(field(3), field(4), field(5), field(6), altitude: nil, time, sensors)
        case "GGA":
            let time = Self.time(field(1))
            see(time: time, date: nil)
            guard let quality = Int(field(6)), quality > 0 else {
                return leaveOutUnfixed("without a fix", "sentences without a fix, left out")
            }
            guard quality != Self.estimated else {
                return leaveOutUnfixed("estimated without satellites", Self.estimatedWords)
            }
            let isInMetres = field(10).isEmpty || field(10) == "M"
            place(
                field(2), field(3), field(4), field(5),
                altitude: isInMetres ? DecimalBytes.decimal(field(9)) : nil, time, PointSensors())
        default:
            let time = Self.time(field(5))
            see(time: time, date: nil)
            guard field(6) != "V" else {
                return leaveOutUnfixed("without a fix", "sentences without a fix, left out")
            }
            guard field(7) != Self.estimatedMode else {
                return leaveOutUnfixed("estimated without satellites", Self.estimatedWords)
            }
            place(field(1), field(2), field(3), field(4), altitude: nil, time, PointSensors())
        }
    }

    /// Takes the day of a sentence, or the next one after midnight.
    private mutating func see(time: Int64?, date: Int?) {
        if let date {
            day = date
            for (place, time) in waiting {
                // Points before the first date are of its day, or of the day before if the clock says so.
                let isBefore = lastTime.map { time > $0 + LogSettings.day / 2 } ?? false
                log.points[place].time = Self.moment(isBefore ? date - 1 : date, time)
            }
            waiting = []
        } else if let time, let lastTime, lastTime - time > LogSettings.day / 2 {
            day = day.map { $0 + 1 }
        }
        if let time { lastTime = time }
    }

    private mutating func place(
        _ latitude: String, _ north: String, _ longitude: String, _ east: String, altitude: Double?,
        _ time: Int64?, _ sensors: PointSensors
    ) {
        guard
            let place = Coordinate(
                log: Self.degrees(latitude, north, "N", "S"), Self.degrees(longitude, east, "E", "W"),
                altitude: altitude)
        else { return leaveOutUnfixed("with a position that is none", "positions that are none, left out") }
        if let time, time == pointTime, var last = log.points.popLast() {
            if last.coordinate.altitude == nil { last.coordinate.altitude = altitude }
            if last.sensors.speed == nil { last.sensors.speed = sensors.speed }
            if last.sensors.course == nil { last.sensors.course = sensors.course }
            log.points.append(last)
            return
        }
        log.account.seen += 1
        var point = GPXPoint(coordinate: place)
        point.sensors = sensors
        pointTime = time
        if let time {
            if let day {
                point.time = Self.moment(day, time)
            } else {
                waiting.append((log.points.count, time))
            }
        }
        log.points.append(point)
    }

    /// Leaves out the position of a sentence.
    private mutating func leaveOutUnfixed(_ what: String, _ why: String) {
        log.account.seen += 1
        log.leaveOut(what, why)
    }

    /// The track of all sentences.
    mutating func document() -> GPXDocument {
        dateWaiting()
        var document = log.document()
        document.waypoints = waypoints
        return document
    }

    /// Dates the points of a log that names no day: by the name of its file, or else on the first day of 1970, which every part of
    /// this program takes for a clock that was not set. Times of day are known, and so are durations.
    private mutating func dateWaiting() {
        guard !waiting.isEmpty else { return }
        let words =
            namedDay == nil ? "an unknown day, written as 1970-01-01" : "the day in the name of the file"
        var day = namedDay ?? 0
        var last: Int64?
        for (place, time) in waiting {
            if let last, last - time > LogSettings.day / 2 { day += 1 }
            last = time
            log.points[place].time = Self.moment(day, time)
            log.doubts.add("times of day without a date (no sentence names it), of \(words)")
        }
    }

    // MARK: Fields

    private static func moment(_ day: Int, _ time: Int64) -> Timestamp {
        Timestamp(milliseconds: Int64(day) * LogSettings.day + time)
    }

    /// Milliseconds since midnight of `hhmmss` or `hhmmss.sss`.
    static func time(_ text: String) -> Int64? {
        guard text.count >= 6, let number = DecimalBytes.decimal(text), (0..<240_000).contains(number)
        else { return nil }
        let whole = Int(number)
        let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, whole % 100)
        guard hours < 24, minutes < 60, seconds < 60 else { return nil }
        let fraction = ((number - Double(whole)) * 1000).rounded()
        return Int64((hours * 60 + minutes) * 60 + seconds) * 1000 + Int64(fraction)
    }

    /// Days since 1970 of `ddmmyy`, or of `ddmm` and a year.
    static func day(_ text: String, year: Int?) -> Int? {
        guard let number = Int(text), text.count == (year == nil ? 6 : 4) else { return nil }
        let dayAndMonth = year == nil ? number / 100 : number
        let short = number % 100
        let whole = year ?? (short < LogSettings.firstShortYear ? 2000 : 1900) + short
        return CivilDate(year: whole, month: dayAndMonth % 100, day: dayAndMonth / 100)?.daysSinceEpoch
    }

    /// Degrees of `ddmm.mmmm` with its hemisphere.
    static func degrees(_ text: String, _ hemisphere: String, _ positive: String, _ negative: String)
        -> Double?
    {
        guard let number = DecimalBytes.decimal(text), number >= 0,
            hemisphere == positive || hemisphere == negative
        else { return nil }
        let degrees = (number / 100).rounded(.down)
        let minutes = number - degrees * 100
        guard minutes < 60 else { return nil }
        return (degrees + minutes / 60) * (hemisphere == positive ? 1 : -1)
    }
}
