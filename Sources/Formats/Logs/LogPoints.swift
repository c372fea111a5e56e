import CivilTime
import Geodesy

/// Constants of logs of positions: NMEA 0183, tables and histories of a telephone.
enum LogSettings {
    /// Metres a second that no recording of a person reaches, not even in the air.
    static let fastestAxes = 1000.0
    /// Seconds without a position after which a log that is never switched off has another track.
    static let trackPause = 3600.0
    /// Seconds to which the paths of a history are rounded.
    static let pathStep = 60.0
    /// Metres of accuracy up to which a position is one of satellites, and above which it is that of a radio cell.
    static let sharp = 100.0
    static let vague = 1000.0
    /// The dilution of precision above which a receiver has no fix that can be used, and up to which it is a good one.
    static let vagueDilution = 100.0
    static let sharpDilution = 20.0
    /// Metres per second of a knot.
    static let knot = 1852.0 / 3600
    /// Metres of a foot.
    static let foot = 0.3048
    /// Two-digit years from this one are of the 20th century.
    static let firstShortYear = 80
    /// Numbers above these are times in milliseconds, microseconds and nanoseconds since 1970, not in seconds.
    static let epochUnits = [
        (least: 1e17, perSecond: 1e9), (least: 1e14, perSecond: 1e6), (least: 1e11, perSecond: 1e3),
    ]
    /// Numbers below this are seconds since some start, not since 1970.
    static let leastEpoch = 1e8
    /// Decimals of angles in histories of Google.
    static let e7 = 1e7
    /// Degrees of the largest angle.
    static let mostDegrees = 180.0
    /// Degrees of a turn.
    static let turn = 360.0
    /// Degrees between two points of a way, above which their longitudes are not of one.
    static let longestStep = 10.0
    /// Larger angles of such histories are an overflow of 32 bits: the number is that of the angle and 2³².
    static let overflow = 4_294_967_296.0
    /// Milliseconds of a day.
    static let day: Int64 = 86_400_000
    /// Seconds since 1970 that a number can mean: the years 0 to 9999.
    static let moments = -62_167_219_200.0..<253_402_300_800.0

    /// Seconds since 1970 that recordings can have: 2100 begins then. Larger numbers are digits of a date, or damaged.
    static let mostEpoch = 4_102_444_800.0

    /// The moment of a number of seconds, or of smaller units, since 1970; `nil` for one that no recording has.
    static func epoch(_ number: Double) -> Timestamp? {
        let unit = epochUnits.first { number >= $0.least }?.perSecond ?? 1
        guard number >= leastEpoch, number / unit < mostEpoch else { return nil }
        return moment(seconds: number / unit)
    }

    /// The moment of seconds since 1970; `nil` for a number that is none.
    static func moment(seconds: Double) -> Timestamp? {
        moments.contains(seconds) ? Timestamp(seconds: seconds) : nil
    }
}

/// The positions of a log, and the account of what was no position.
struct LogPoints {
    /// The positions in the order of the log.
    var points: [GPXPoint] = []
    /// What became unknown, was left out or assumed.
    var doubts = Tally()
    /// What became of the points that were met.
    var account = PointAccount()

    /// Leaves out a point that was met; `why` is what is said of it.
    mutating func leaveOut(_ what: String, _ why: String, count: Int = 1) {
        account.leaveOut(what, count: count)
        doubts.add(why, count: count)
    }

    /// The document of the log: one track, or one for each stretch if the log is never switched off.
    mutating func document(isSplit: Bool = false) -> GPXDocument {
        var document = GPXDocument()
        var stretches = [points]
        if isSplit { stretches = split() }
        document.tracks = stretches.filter { !$0.isEmpty }.map { GPXLine(segments: [$0]) }
        document.account = account
        document.doubts = doubts.kinds.map { "\($0.what): \($0.count)" }
        return document
    }

    /// The points by time, apart where no position is for long.
    private mutating func split() -> [[GPXPoint]] {
        let timed = points.enumerated().compactMap { place, point in
            point.time.map { (time: $0, place: place) }
        }
        leaveOut("without a time", "positions without a time, left out", count: points.count - timed.count)
        var stretches: [[GPXPoint]] = []
        var last: Timestamp?
        for (time, place) in timed.sorted(by: { ($0.time, $0.place) < ($1.time, $1.place) }) {
            let point = points[place]
            if let last, time.seconds(since: last) <= LogSettings.trackPause,
                var stretch = stretches.popLast()
            {
                if time == last, stretch.last?.coordinate.withoutAltitude == point.coordinate.withoutAltitude
                {
                    leaveOut("there twice", "positions that are there twice, left out")
                } else {
                    stretch.append(point)
                }
                stretches.append(stretch)
            } else {
                stretches.append([point])
            }
            last = time
        }
        return stretches
    }
}

extension Coordinate {
    /// A position of two angles in degrees, if they are one.
    init?(log latitude: Double?, _ longitude: Double?, altitude: Double? = nil) {
        guard let latitude, let longitude else { return nil }
        self.init(latitude: latitude, longitude: longitude, altitude: altitude)
        guard isValid else { return nil }
    }
}
