import CivilTime

/// Limits and tolerances of the checks of stores.
enum CheckSettings {
    /// KiB of pages cached during SQLite's integrity check, which looks up every row in every index: with
    /// less it reads the same pages repeatedly.
    static let integrityCache = 32_768
    /// Maximum number of messages from SQLite's integrity check.
    static let integrityMessages = 100
    /// Maximum number of findings kept per kind; the rest is counted.
    static let findingsOfAKind = 1_000
    /// Number of findings that say the same from which they are shown as one cause.
    static let findingsOfACause = 6
    /// Number of rows named as examples of a cause.
    static let examplesOfACause = 3
    /// Maximum distance in metres between a hike's start or end and that of its track: Float32 has a
    /// precision of a metre and a half.
    static let endTolerance = 10.0
    /// Maximum difference in seconds between a hike's start or end and that of its track.
    static let timeTolerance = 60.0
    /// Metres by which a hike's distance may differ from its track's, in addition to the share
    /// below.
    static let distanceTolerance = 50.0
    /// The share of the value by which it may differ.
    static let distanceShare = 0.05
    /// A leg of a track is a possible gap in the recording, which does not count as distance, if it is longer
    /// than this, in metres, and than the ordinary legs below.
    static let gapLength = 100.0
    /// Minimum length of a possible gap, as a multiple of the ordinary leg.
    static let gapLegs = 10.0
    /// Methods of counting climbs differ by this factor on noisy tracks.
    static let climbFactor = 3.0
    /// Metres of climb that may differ in addition.
    static let climbTolerance = 50.0
    /// Seconds by which walking and resting together may differ from the time between start and end,
    /// in addition to the share below.
    static let durationTolerance = 120.0
    /// The share of the value by which it may differ.
    static let durationShare = 0.02
    /// Kilocalories that no hike takes: weeks of the hardest work.
    static let mostCalories = 100_000.0
    /// Plausible heart rates, in beats per minute.
    static let heartRates = 20.0...260.0
    /// Metres by which an edge may be shorter than the straight line between its ends: Float32 has a
    /// precision of a metre and a half.
    static let lengthTolerance = 2.0
    /// Share of the length by which an edge may be shorter: models of the Earth differ.
    static let lengthShare = 0.006
    /// Metres that the pins of a planned route may lie from the ends of its line.
    static let snapTolerance = 500.0

    /// Seconds by which a date may be after the time of the check: clocks that are wrong by a day, and dates without a zone.
    static let futureTolerance = 172_800.0
    /// Seconds by which a modification may precede the creation: clocks of two devices.
    static let clockTolerance = 60.0
    /// Plausible heights in metres: from the shore of the Dead Sea to the highest summit, with a margin.
    static let heights = -500.0...9_000.0
    /// Minimum metres of a leg that is reported as a jump.
    static let shortestTeleport = 1_000.0
    /// The speed in metres per second from which a leg is impossible on the ground.
    static let fastest = 120.0
    /// Minimum length of a jump in a track without times, as a multiple of the ordinary leg.
    static let teleportLegs = 200.0
    /// Metres within which other hikes are witnesses for the place of one.
    static let neighbourhood = 150_000.0
    /// Neighbours within a degree required around the exchanged coordinate.
    static let loneNeighbours = 2
    /// Number of places that are suspicious if all have the same coordinate.
    static let fewestAtOnePlace = 5
    /// Metres of a pattern of three stops and more that no vehicle travels within the minute to which timetables are rounded.
    static let longestInstant = 2_000.0
    /// Stops of a pattern from which the metres above count.
    static let stopsOfInstant = 3
    /// Degrees within which neighbours are required around a coordinate with the other sign.
    static let mirrorDistance = 0.1
    /// Number of lone coordinates that are compared with all others.
    static let mostMirrored = 200
    /// Seconds between the Unix epoch and the format's epoch, 2001.
    static let epochDifference = 978_307_200.0
    /// The latest time of a recording where the present is not known: the year 2040, in seconds since 1970.
    static let latestUnknown = 2_208_988_800.0
    /// Seconds between the Unix epoch and the year 2000.
    static let millennium = 946_684_800.0
    /// Plausible speeds of a planned route in metres per second, from a crawl to the fastest descent by bicycle.
    static let routeSpeeds = 0.02...30.0
    /// Bearings in degrees; some programs count those to the west as negative.
    static let bearings = -360.0...360.0
    /// Seconds of a trip's start after the reference of its service day beyond which it belongs to another day.
    static let latestStart = 3 * 86_400
    /// Seconds of an offset within a service day beyond which it is no time of that day: trains run for days.
    static let longestService = 14 * 86_400
    /// Seconds between two stops near each other beyond which an offset is wrong: trains wait a night, not two.
    static let longestLeg = 2.0 * 86_400
    /// Seconds by which a timetable may be rounded between two stops.
    static let timetableRounding = 60.0
    /// Plausible years of a timetable.
    static let serviceYears = 1990...2099
    /// Share of the nodes in the largest part of a graph below which it counts as split.
    static let largestPart = 0.6
    /// Number of tiles from which a map without an index is slow.
    static let tilesWithoutIndex = 1_000
}
