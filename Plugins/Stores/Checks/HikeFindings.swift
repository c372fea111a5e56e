import TrailStores

/// The kinds of finding in a store of recorded hikes.
enum HikeFindings {
    static let columns = FindingKind(
        .error, "F-HIKE-TABLE", "a column is missing",
        why:
            "Without its identifier, name, start and track a row is no hike, and apps cannot read the store.",
        mend: "find out which program made the file; the column cannot be guessed")
    static let older = FindingKind(
        .info, "F-HIKE-OLDER", "the store is of an older version",
        why:
            "Later versions of the app have added columns. A store without them is read as if they were empty.",
        mend: "nothing; opening it with --write adds the columns when a hike command first uses it")
    static let identifier = FindingKind(
        .error, "F-HIKE-ID", "the identifier is no UUID",
        why: "Hikes are told apart, linked and synchronised by a UUID; other text stops an app's reader.",
        mend: "give the row a new UUID, in upper case")
    static let twice = FindingKind(
        .error, "F-HIKE-TWICE", "two rows have the same identifier",
        why: "The same UUID in upper and in lower case: SQLite keeps both, a reader takes them for one.",
        mend: "compare the rows and delete the older one")
    static let name = FindingKind(
        .warning, "F-HIKE-NAME", "the hike has no name",
        why: "Name and comment are text, the name not empty.",
        mend: "give it a name")
    static let place = FindingKind(
        .error, "F-HIKE-PLACE", "start or end is not on Earth",
        why: "Latitudes are numbers between -90 and 90, longitudes between -180 and 180.",
        mend: "take start and end from the track")
    static let time = FindingKind(
        .error, "F-HIKE-TIME", "a time cannot be read",
        why: "Times are ISO 8601 text such as 2026-02-06T08:15:30.123Z; a reader stops at anything else.",
        mend: "write the time in this form; the track has the times of its points")
    static let order = FindingKind(
        .warning, "F-HIKE-ORDER", "the hike ends before it starts",
        why: "Its end_time lies before its start_time.",
        mend: "take both from the track")
    static let number = FindingKind(
        .error, "F-HIKE-NUMBER", "a figure cannot be",
        why: """
            Distance, climb and times are numbers that are not negative; heart rates those of a living hiker, or \
            NULL.
            """, mend: "compute it anew from the track, or empty an optional one")
    static let track = FindingKind(
        .error, "F-HIKE-TRACK", "the track cannot be decoded",
        why: """
            track_data is a raw DEFLATE stream of whole 20-byte records. Bytes left over, or a stream that grows \
            without end, are none.
            """, mend: "restore the track from another device; from this blob it cannot be told")
    static let empty = FindingKind(
        .warning, "F-HIKE-EMPTY", "the track has no points",
        why: "Nothing of the way was recorded, or it was lost.",
        mend: "restore the track from another device, or delete the hike")
    static let point = FindingKind(
        .error, "F-HIKE-POINT", "a point of the track is not on Earth",
        why: "Latitude, longitude or time of a recorded point is not a number, or out of range.",
        mend: "take the point out of the track")
    static let backwards = FindingKind(
        .warning, "F-HIKE-BACKWARDS", "times of the track run backwards",
        why:
            "Points are recorded in the order of their times. A clock that was set, or tracks joined wrongly.",
        mend: "sort the points, or split the track")
    static let ends = FindingKind(
        .warning, "F-HIKE-ENDS", "start or end is not that of the track",
        why: """
            Lists draw a hike from its start and end columns, maps from its track. They may differ by \
            \(Int(CheckSettings.endTolerance)) m.
            """, mend: "take start and end from the track")
    static let span = FindingKind(
        .warning, "F-HIKE-SPAN", "start or end time is not that of the track",
        why: "They may differ by \(Int(CheckSettings.timeTolerance)) s.",
        mend: "take both times from the track")
    static let distance = FindingKind(
        .warning, "F-HIKE-DISTANCE", "the distance is not that of the track",
        why: """
            The sum of the track's legs may differ by \(Int(CheckSettings.distanceTolerance)) m and \
            \(Int(CheckSettings.distanceShare * 100)) %; legs that look like gaps in the recording may count or not.
            """, mend: "compute it anew from the track")
    static let climb = FindingKind(
        .warning, "F-HIKE-CLIMB", "the climb is not that of the track",
        why: """
            Methods of counting climbs differ by a factor of three, so only what differs by more is found \
            (\(HikeStatistics.Settings.description)).
            """, mend: "compute it anew from the track")
    static let duration = FindingKind(
        .warning, "F-HIKE-DURATION", "walking and resting are not the whole time",
        why: "Together they should be the time between start and end.",
        mend: "compute them anew from the track")
    static let all = [
        columns, older, identifier, twice, name, place, time, order, number, track, empty, point, backwards,
        ends,
        span, distance, climb, duration,
    ]
}
