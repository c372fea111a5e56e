import CivilTime
import Core
import Geodesy

/// What a recording device can have measured. Other values are unknown: they are not counted, and their number is said.
public enum PlausibleSettings {
    /// Elevations of land in metres. Files have −32768, −9999 and, of FIT, −500 m where nothing was measured.
    static let lowestElevation = GroundHeights.land.lowerBound
    /// Metres; the highest summit has 8,849 m, and aeroplanes with a receiver of a passenger reach 13,000 m.
    static let highestElevation = 15_000.0
    /// What stands for no elevation within that range.
    static let noElevations = [9999.0]
    /// An elevation of exactly 0 m was not measured if all its neighbours differ by more than this many metres.
    static let leastDropout = 50.0
    /// Points and metres of a way on which not every elevation is 0 m, not even beside the sea.
    static let leastZeros = 20
    static let leastZeroWay = 1000.0
    /// Metres by which a few elevations must differ from those before and after them to be errors.
    static let leastSpike = 300.0
    /// Metres per second of a lift, and the share by which the steps to and from a longer spike differ.
    static let fastestLift = 3.0
    static let unevenSpike = 0.2
    /// Maximum number of elevations in a row that are a spike.
    static let longestSpike = 3
    /// Metres of a step that are too many for `speed` to be noise of a receiver, and the difference of the angles in degrees that
    /// is always less.
    static let leastStray = 1000.0
    static let leastStrayDegrees = 0.008
    /// Metres of a step to a point without a time among others with times that are too many for any way.
    static let leastUntimedStray = 1_000_000.0
    /// Maximum number of points that lie elsewhere in a row, and their share of all.
    static let longestStray = 60
    static let strayShare = 0.1
    /// The position 0,0 of a recording was not measured if no other point is within this many metres.
    static let nearZero = 100_000.0
    /// The same for a line without times, which may be drawn with few points.
    static let nearZeroOfPlan = 500_000.0
    /// Beats per minute. Devices write 0 where the strap has no contact, and 255 is "unknown" in FIT.
    package static let heartRate = 20.0...250.0
    /// Steps or revolutions per minute; 255 is "unknown" in FIT, and so in what is converted from it.
    static let cadence = 0.0...254.0
    /// Watts.
    static let power = 0.0...4000.0
    /// Degrees Celsius, of a device that lies in the sun or on ice.
    static let temperature = -70.0...80.0
    /// Metres per second, up to that of an airliner in a strong wind.
    static let speed = 0.0...350.0
    /// Degrees.
    static let course = 0.0...360.0
    /// Positions of 0,0, all of a recording, that no receiver had.
    static let leastZeroPositions = 3
    /// Seconds by which a lap may begin behind the last point, or end before the first.
    static let nearLap = 60.0
    /// Measurements without a position beside a single one that make an activity without a way.
    static let leastBesideSingle = 10
    /// The share of a device's count of metres below which the next one begins anew, and the counts within which a wrong one is right again.
    static let restartShare = 0.5
    static let longestWrongCount = 6
    /// What FIT writes for no value, in the units of what is converted from it: the greatest numbers of two and four bytes.
    static let noSpeeds = [65.535]
    static let noLengths = [42_949_672.95]
    static let noClimbs = [65_535.0]
    static let noDurations = [4_294_967.295]
    static let noEnergies = [65_535.0]
    /// Metres that a device counts up or down.
    static let climb = 0.0...1e6
    /// Seconds that a device counts: ten years.
    static let duration = 0.0...3.2e8
    /// Kilocalories.
    static let energy = 0.0...1e6
    /// Metres.
    static let length = 0.0...1e8
    /// Plausible times of a recording device: from 1990 to 2100.
    package static let years =
        Timestamp(milliseconds: 631_152_000_000)..<Timestamp(milliseconds: 4_102_444_800_000)
    /// The share of times that must be in order for the others to be errors; a reversed track has none in order.
    static let ordered = 0.8

    /// The share of the way of unordered points above which the way in the order of time is no shorter.
    static let shuffled = 0.8
    /// Maximum seconds by which a point stands too late or too early in a file that is put in order.
    static let longestSwap = 60.0
    /// Seconds between two points of a segment after which the earlier clock was not set, unless the place is another.
    static let longestBreak = 7 * 86_400.0
    /// The share of the points that can have such a time, and the metres within which they lie from the next one.
    static let fewPoints = 0.34
    static let leastTravel = 2000.0

    /// Seconds by which a clock goes back while the way goes on, what that is by its hours, the seconds until the next point then,
    /// and how often it happens at most.
    static let setBacks = [3600.0, 43_200, 86_400]
    static let setBackWords = [
        1: "as at the end of summer time", 12: "as one that counts to twelve",
        24: "as where the date stays the same at midnight",
    ]
    static let longestSetBackPause = 600.0
    static let mostSetBacks = 8
    /// Points between a clock that is set forward and one that is set back by as much, where only those between may be wrong.
    static let mostWrongTimes = 20

    /// Seconds after which the last few points have a wrong time, and their share of all.
    static let longestPause = 366 * 86_400.0
    static let fewLast = 0.1
    /// The last points at most that a counter which overflowed can have written: more of them, at the right time, are those of a
    /// clock that was set late.
    static let mostLast = 2

    /// Seconds of 1024 weeks, after which the count of GPS begins anew.
    package static let rollover = 1024 * 7 * 86_400.0

    /// Years by which the Buddhist calendar is ahead of ours.
    static let buddhistLead = 543
    /// The plausible times of a device that counts its years so: from 2533 to 2643.
    static let buddhistYears =
        Timestamp(milliseconds: 17_766_604_800_000)..<Timestamp(milliseconds: 21_237_811_200_000)

    /// The same day and time of our calendar.
    static func withoutBuddhistYears(_ time: Timestamp) -> Timestamp {
        let day = LogSettings.day
        let days = time.milliseconds / day
        let date = CivilDate(daysSinceEpoch: Int(days))
        guard let ours = CivilDate(year: date.year - buddhistLead, month: date.month, day: date.day) else {
            return time
        }
        return Timestamp(milliseconds: Int64(ours.daysSinceEpoch) * day + time.milliseconds - days * day)
    }

    /// Whether a time is of a 29 February.
    static func isLeapDay(_ time: Timestamp) -> Bool {
        let date = CivilDate(
            daysSinceEpoch: Int((Double(time.milliseconds) / Double(LogSettings.day)).rounded(.down)))
        return date.month == 2 && date.day == 29
    }

    /// Values that mean none, within the range.
    static func none(of kind: PointSensors.Kind) -> [Double] {
        switch kind {
        case .speed: noSpeeds
        case .distance: noLengths
        case .heartRate, .cadence, .power, .temperature, .course, .accuracy: []
        }
    }

    static func range(of kind: PointSensors.Kind) -> ClosedRange<Double> {
        switch kind {
        case .heartRate: heartRate
        case .cadence: cadence
        case .power: power
        case .temperature: temperature
        case .speed: speed
        case .course: course
        case .accuracy, .distance: length
        }
    }
}
