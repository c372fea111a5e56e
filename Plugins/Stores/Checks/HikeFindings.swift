import TrailStores

/// The kinds of finding in a store of recorded hikes.
enum HikeFindings {
    static let columns = FindingKind(
        .error, "F-HIKE-TABLE", "a column is missing",
        why:
            "A hike requires an identifier, name, start and track; apps cannot read the store without them.",
        fix: "find out which program wrote the file; the column cannot be guessed")
    static let older = FindingKind(
        .info, "F-HIKE-OLDER", "the store is of an older version",
        why:
            "Later versions of the app added columns. Missing columns read as empty.",
        fix: "none needed; with --write the first hike command adds the columns")
    static let identifier = FindingKind(
        .error, "F-HIKE-ID", "the identifier is not a UUID",
        why: "Hikes are identified, linked and synchronised by a UUID; apps fail on other text.",
        fix: "set a new UUID, in upper case")
    static let twice = FindingKind(
        .error, "F-HIKE-TWICE", "two rows have the same identifier",
        why: "The same UUID in upper and in lower case: SQLite keeps both rows, apps read them as one.",
        fix: "compare the rows and delete the older one")
    static let name = FindingKind(
        .warning, "F-HIKE-NAME", "the hike has no name",
        why: "Name and comment are text, the name not empty.",
        fix: "set a name")
    static let record = FindingKind(
        .error, "F-HIKE-RECORD", "two rows have one record in the cloud",
        why:
            "cloudkit_record_id names the record that a row is saved to: of two rows with the same one overwrites the other.",
        fix: "set it to NULL in the copy; the app creates a record of its own")
    static let text = FindingKind(
        .warning, "F-HIKE-TEXT", "a text is not stored as text",
        why: "region_id and cloudkit_record_id are text or NULL; apps may fail on anything else.",
        fix: "store it as text, or set it to NULL")
    static let place = FindingKind(
        .error, "F-HIKE-PLACE", "the start or end is out of range",
        why: "Latitudes are numbers between -90 and 90, longitudes between -180 and 180.",
        fix: "take start and end from the track")
    static let time = FindingKind(
        .error, "F-HIKE-TIME", "a time cannot be read",
        why: "Times are ISO 8601 text such as 2026-02-06T08:15:30.123Z; apps fail on anything else.",
        fix: "write the time in this form; the track has the times of its points")
    static let fraction = FindingKind(
        .warning, "F-HIKE-FRACTION", "the app drops the hike for its date",
        why:
            "The iOS app reads only dates with a time zone and a fraction of a second, and silently skips every other row.",
        fix: "write the date in the form 2026-02-06T08:15:30.123Z")
    static let order = FindingKind(
        .warning, "F-HIKE-ORDER", "the hike ends before it starts",
        why: "Its end_time is before its start_time.",
        fix: "take both from the track")
    static let number = FindingKind(
        .error, "F-HIKE-NUMBER", "a number is out of range",
        why: """
            Distance, climb and times are numbers that are not negative; heart rates are plausible, or \
            NULL.
            """, fix: "recompute it from the track, or set an optional one to NULL")
    static let track = FindingKind(
        .error, "F-HIKE-TRACK", "the track cannot be decoded",
        why: """
            track_data is a raw DEFLATE stream of 20-byte records. Trailing bytes, and a stream that inflates \
            without limit, are errors.
            """, fix: "restore the track from another device; this blob cannot be recovered")
    static let empty = FindingKind(
        .warning, "F-HIKE-EMPTY", "the track has no points",
        why: "No points were recorded, or they were lost.",
        fix: "restore the track from another device, or delete the hike")
    static let point = FindingKind(
        .error, "F-HIKE-POINT", "a point of the track is out of range",
        why: "Latitude, longitude or time of a recorded point is not a number, or out of range.",
        fix: "remove the point from the track")
    static let backwards = FindingKind(
        .warning, "F-HIKE-BACKWARDS", "the track's times run backwards",
        why:
            "Points are recorded in the order of their times. The clock was set, or tracks were joined wrongly.",
        fix: "sort the points, or split the track")
    static let ends = FindingKind(
        .warning, "F-HIKE-ENDS", "start or end differs from the track's",
        why: """
            Lists use the start and end columns, maps the track. They may differ by up to \
            \(Int(CheckSettings.endTolerance)) m.
            """, fix: "take start and end from the track")
    static let span = FindingKind(
        .warning, "F-HIKE-SPAN", "start or end time differs from the track's",
        why: "They may differ by up to \(Int(CheckSettings.timeTolerance)) s.",
        fix: "take both times from the track")
    static let distance = FindingKind(
        .warning, "F-HIKE-DISTANCE", "the distance differs from the track's",
        why: """
            The sum of the track's legs may differ by up to \(Int(CheckSettings.distanceTolerance)) m and \
            \(Int(CheckSettings.distanceShare * 100)) %; legs that look like gaps in the recording may or may not count.
            """, fix: "recompute it from the track")
    static let climb = FindingKind(
        .warning, "F-HIKE-CLIMB", "the climb differs from the track's",
        why: """
            Methods of counting climbs differ by a factor of three, so only larger differences are reported \
            (\(HikeStatistics.Settings.description)).
            """, fix: "recompute it from the track")
    static let duration = FindingKind(
        .warning, "F-HIKE-DURATION", "walking and resting do not add up to the duration",
        why: "Their sum is the time between start and end.",
        fix: "recompute them from the track")
    static let cut = FindingKind(
        .error, "F-HIKE-CUT", "the track is cut short",
        why:
            "The stream is intact up to its end, but its last part is missing, as after an interrupted transfer.",
        fix: "restore the track from another device; the points up to the cut can be read")
    static let frame = FindingKind(
        .warning, "F-HIKE-FRAME", "the app cannot inflate the track",
        why: """
            The iOS app inflates raw DEFLATE and the Android app zlib's format; each shows no track for the other's. Rutter \
            reads both.
            """, fix: "write the track again in the format of the app that reads the store")
    static let epoch = FindingKind(
        .warning, "F-HIKE-EPOCH", "the track's times count from another epoch",
        why:
            "Times are seconds since 2001-01-01. Seconds since 1970, or milliseconds, read as times in another decade.",
        fix: "subtract the difference from each time")
    static let trailing = FindingKind(
        .warning, "F-HIKE-TRAILING", "bytes follow the track",
        why:
            "The DEFLATE stream is complete, and further bytes follow its end. Rutter reads the track; an app may refuse the blob.",
        fix: "remove the bytes behind the stream")
    static let swapped = FindingKind(
        .warning, "F-HIKE-SWAPPED", "latitude and longitude are swapped",
        why:
            "Start, end and track agree once latitude and longitude are exchanged in one of them. The other hikes show in which, if they are near one of them.",
        fix: "exchange them where they are wrong; without other hikes nearby, only you know where you were")
    static let zero = FindingKind(
        .warning, "F-HIKE-ZERO", "a coordinate is 0,0",
        why: "A receiver without a fix reports 0,0, a point in the Atlantic.",
        fix: "remove the point from the track")
    static let jump = FindingKind(
        .warning, "F-HIKE-JUMP", "the track jumps",
        why: "The distance between the two points is impossible in the time between them.",
        fix: "remove the point, or split the track")
    static let year = FindingKind(
        .warning, "F-HIKE-YEAR", "a date is implausible",
        why:
            "1970 is a clock that was never set; a date in the future has the wrong epoch, century or clock.",
        fix: "correct the date")
    static let before = FindingKind(
        .warning, "F-HIKE-BEFORE", "it was modified before it began",
        why: "The newer of two versions is chosen by modified_at, and this one always loses.",
        fix: "set modified_at to the time of the hike or later")
    static let heart = FindingKind(
        .warning, "F-HIKE-HEART", "the average heart rate is above the maximum",
        why: "An average is never above the highest value.", fix: "recompute both from the recording")
    static let speed = FindingKind(
        .warning, "F-HIKE-SPEED", "the average speed is impossible",
        why: "total_distance divided by walking_time is faster than any travel on the ground.",
        fix: "recompute both from the track")
    static let height = FindingKind(
        .warning, "F-HIKE-HEIGHT", "the height is implausible",
        why:
            "Heights are between the shore of the Dead Sea and the summit of Mount Everest. Feet are not metres.",
        fix: "correct the altitudes of the track")
    static let same = FindingKind(
        .warning, "F-HIKE-SAME", "the same hike under two identifiers",
        why: "Times and track agree byte by byte, as after an import that ran twice.",
        fix: "compare the rows and delete one of them")
    static let damaged = FindingKind(
        .warning, "F-HIKE-NUL", "a text has a NUL, invalid bytes or HTML",
        why:
            "Readers in C end a text at a NUL, and drop or replace bytes that are not UTF-8. Lists show the tags and references of HTML as they stand.",
        fix: "remove the characters")
    static let index = FindingKind(
        .info, "F-HIKE-INDEX", "an index is missing",
        why: "Without its index the app sorts the whole table to show the list.", fix: "create the index")
    static let all = [
        record, columns, older, identifier, twice, name, text, fraction, place, time, order, number, track,
        empty,
        point, backwards,
        ends,
        span, distance, climb, duration, cut, frame, epoch, zero, jump, year, before, heart, speed, height,
        same, trailing, swapped,
        damaged, index,
    ]
}
