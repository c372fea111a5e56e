import CivilTime
import Core
import Geodesy

/// The measurements of one activity as a service exports them: positions and each sensor in lists of their own, joined by their times.
struct ServiceActivity {
    /// What a service says of the whole activity.
    var line = GPXLine()
    /// What became unknown, was left out or assumed.
    var doubts = Tally()
    /// What is not read.
    var unread = Tally()
    var account = PointAccount()
    private var positions: [GPXPoint] = []
    private var samples: [(time: Timestamp, altitude: Double?, sensors: PointSensors)] = []

    /// Adds what was measured at a moment; a position may be missing, or be none.
    mutating func add(
        _ time: Timestamp?, _ angles: (latitude: Double?, longitude: Double?)? = nil, altitude: Double? = nil,
        _ sensors: PointSensors = PointSensors()
    ) {
        guard let angles, angles.latitude != nil || angles.longitude != nil else {
            guard altitude != nil || sensors != PointSensors() else { return }
            guard let time else { return unread.add("measurements without a time") }
            samples.append((time, altitude, sensors))
            return
        }
        account.seen += 1
        guard let place = Coordinate(log: angles.latitude, angles.longitude, altitude: altitude) else {
            doubts.add("positions that are none, left out")
            return account.leaveOut("without a position")
        }
        var point = GPXPoint(coordinate: place, time: time)
        point.sensors = sensors
        positions.append(point)
    }

    /// The line with all points, in the order of their times.
    mutating func joined() -> GPXLine {
        var points = positions
        let times = positions.compactMap(\.time)
        // Among points without times nothing can be put in order.
        if times.count == positions.count {
            points = zip(times, positions.indices).sorted { $0 < $1 }.map { positions[$0.1] }
        }
        var kept: [(time: Timestamp, altitude: Double?, sensors: PointSensors)] = []
        for sample in samples.enumerated().sorted(by: {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }).map(\.element) {
            if let index = Self.nearest(to: sample.time, in: points) {
                points[index].sensors.fill(sample.sensors)
                if points[index].coordinate.altitude == nil {
                    points[index].coordinate.altitude = sample.altitude
                }
            } else if let before = kept.last, before.time == sample.time {
                kept[kept.count - 1].sensors.fill(sample.sensors)
                kept[kept.count - 1].altitude = before.altitude ?? sample.altitude
            } else {
                kept.append(sample)
            }
        }
        line.segments = points.isEmpty ? [] : [points]
        line.unplaced = kept.map {
            UnplacedSample(time: $0.time, altitude: $0.altitude, sensors: $0.sensors)
        }
        account.seen += kept.count
        line.doubts += doubts.words
        if line.totals == DeviceTotals() { line.totals = nil }
        line.calories = line.totals?.calories
        return line
    }

    /// The point at whose moment something was measured; points without times have none. O(log n).
    private static func nearest(to time: Timestamp, in points: [GPXPoint]) -> Int? {
        guard points.first?.time != nil else { return nil }
        let next = points.partitionIndex { ($0.time ?? time) >= time }
        let around = [next - 1, next].filter(points.indices.contains)
        func apart(_ index: Int) -> Double {
            points[index].time.map { abs($0.seconds(since: time)) } ?? .infinity
        }
        return around.min { apart($0) < apart($1) }.flatMap {
            apart($0) <= ServiceExportSettings.sameMoment ? $0 : nil
        }
    }
}

/// Settings of the exports of services.
enum ServiceExportSettings {
    /// Seconds within which a measurement belongs to a position: watches write both once a second, at different milliseconds.
    static let sameMoment = 1.0
    /// Degrees of a radian.
    static let radian = 180.0 / Double.pi
    /// The largest latitude and longitude in radians.
    static let mostRadians = (latitude: Double.pi / 2, longitude: Double.pi)
    /// Beats per minute of a Hertz.
    static let perMinute = 60.0
    /// Kelvin of 0 °C.
    static let celsius = 273.15
    /// Metres per second of a kilometre per hour.
    static let kilometrePerHour = 1 / 3.6
    /// Joules of a kilocalorie.
    static let kilocalorie = 4184.0
    /// Seconds of a minute, for offsets from UTC.
    static let minute = 60.0
    /// Minutes by which a zone differs from UTC at most.
    static let offsets = -720.0...840.0
}
