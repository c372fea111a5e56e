import CivilTime
import Formats
import Geodesy
import PluginKit

/// A recording whose positions are those of a hike, at times of another zone or day: what is exchanged between services comes back so.
struct ShiftedCopy {
    let hike: Hike
    /// Seconds by which it is later than the hike.
    let seconds: Double

    /// Points that a copy has at least.
    private static let leastPoints = 10
    /// Seconds that differences between zones are multiples of, and the longest one.
    private static let zoneStep = 900.0
    private static let longest = 26 * 3600.0
    /// Degrees to which services round.
    private static let rounding = 0.000_02
    /// Metres, and seconds, by which the figures of a copy differ.
    private static let sameWay = 5.0
    private static let sameTime = 1.5

    /// `nil` if the recording is no such copy of the hike.
    init?(_ recording: Recording, _ statistics: HikeStatistics, of hike: Hike, _ other: () -> Recording?) {
        guard let start = statistics.startTime, let end = statistics.endTime, hike.areTimesKnown,
            abs(hike.distance - statistics.distance) <= Self.sameWay
        else { return nil }
        let shift = start.seconds(since: hike.startTime)
        let steps = (shift / Self.zoneStep).rounded()
        guard steps != 0, abs(shift) <= Self.longest,
            abs(shift - steps * Self.zoneStep) <= Self.sameTime,
            abs(end.seconds(since: hike.endTime) - shift) <= Self.sameTime,
            let points = other()?.points, points.count >= Self.leastPoints,
            case let own = recording.points, points.count == own.count,
            zip(own, points).allSatisfy({ Self.isSame($0.coordinate, $1.coordinate) })
        else { return nil }
        (self.hike, seconds) = (hike, steps * Self.zoneStep)
    }

    private static func isSame(_ one: Coordinate, _ other: Coordinate) -> Bool {
        abs(one.latitude - other.latitude) <= rounding && abs(one.longitude - other.longitude) <= rounding
    }

    /// What is said of it.
    var words: String {
        "has the positions of \(hike.displayName), \(Literal.duration(abs(seconds))) \(seconds < 0 ? "earlier" : "later"): "
            + "a copy with the time of another zone, or the way counts twice"
    }
}
