import CivilTime
import Geodesy

/// What one walk through the points of a line finds. Most recordings have none of what is looked for, and need no walk for each of it.
struct LineSurvey {
    /// Whether a point has texts or receiver data.
    private(set) var hasWords = false
    /// Whether a position is 0,0.
    private(set) var hasZeroPosition = false
    /// Whether a longitude is beyond ±180°.
    private(set) var hasWideLongitude = false
    /// Whether a position is known to a kilometre or worse.
    private(set) var hasVaguePosition = false
    /// Points with a time, those among them outside the plausible years, and whether some are of the Buddhist calendar.
    private(set) var timed = 0
    private(set) var strange = 0
    private(set) var hasBuddhistYear = false
    /// Whether a time is earlier than the one before it.
    private(set) var hasStepBack = false
    /// The earliest and the latest time.
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?

    /// Seconds between these; 0 without times.
    var span: Double { first.flatMap { first in last.map { $0.seconds(since: first) } } ?? 0 }

    init(_ segments: [[GPXPoint]]) {
        var before: Timestamp?
        for segment in segments {
            for index in segment.indices {
                if segment[index].hasWords {
                    hasWords = true
                    if let dilution = segment[index].dilution, dilution >= LogSettings.vagueDilution {
                        hasVaguePosition = true
                    }
                }
                let (latitude, longitude) = (
                    segment[index].coordinate.latitude, segment[index].coordinate.longitude
                )
                if latitude == 0, longitude == 0 { hasZeroPosition = true }
                if abs(longitude) > LogSettings.mostDegrees { hasWideLongitude = true }
                if let accuracy = segment[index].sensors.accuracy, accuracy > LogSettings.vague {
                    hasVaguePosition = true
                }
                guard let time = segment[index].time else { continue }
                timed += 1
                if !PlausibleSettings.years.contains(time) {
                    strange += 1
                    if PlausibleSettings.buddhistYears.contains(time) { hasBuddhistYear = true }
                }
                if let before, time < before { hasStepBack = true }
                before = time
                first = first.map { min($0, time) } ?? time
                last = last.map { max($0, time) } ?? time
            }
        }
    }
}
