import TrailStores

/// The kinds of finding in a waypoint store.
enum WaypointFindings {
    static let columns = FindingKind(
        .error, "F-WAYPOINT-TABLE", "a column is missing",
        why:
            "A waypoint requires an identifier, coordinate and time; apps cannot read the store without them.",
        fix: "find out which program wrote the file; the column cannot be guessed")
    static let older = FindingKind(
        .info, "F-WAYPOINT-OLDER", "the store is of an older version",
        why:
            "Later versions of the app added columns. Missing columns read as empty.",
        fix: "none needed; with --write the first waypoint command adds the columns")
    static let identifier = FindingKind(
        .error, "F-WAYPOINT-ID", "the identifier is not a UUID",
        why: "Waypoints are identified, linked and synchronised by a UUID; apps fail on other text.",
        fix: "set a new UUID, in upper case")
    static let twice = FindingKind(
        .error, "F-WAYPOINT-TWICE", "two rows have the same identifier",
        why: "The same UUID in upper and in lower case: SQLite keeps both rows, apps read them as one.",
        fix: "compare the rows and delete the older one")
    static let place = FindingKind(
        .error, "F-WAYPOINT-PLACE", "the coordinate is out of range",
        why: """
            Latitudes are numbers between -90 and 90, longitudes between -180 and 180. Swapped values, text, \
            infinities and NULL (what SQLite stores for not-a-number) are not.
            """, fix: "correct the coordinate; a latitude beyond 90 is often swapped with the longitude")
    static let altitude = FindingKind(
        .warning, "F-WAYPOINT-ALTITUDE", "the altitude is out of range",
        why: "Altitudes are metres above the sea, between those of the deepest shore and the highest summit.",
        fix: "correct the altitude, or set it to NULL")
    static let time = FindingKind(
        .error, "F-WAYPOINT-TIME", "the time cannot be read",
        why: "Times are ISO 8601 text such as 2026-02-06T08:15:30.123Z; apps fail on anything else.",
        fix: "write the time in this form")
    static let modified = FindingKind(
        .warning, "F-WAYPOINT-MODIFIED", "the modification time cannot be read",
        why: "Synchronisation compares modification times; an unreadable one is older than every other.",
        fix: "write an ISO 8601 time, or set it to NULL")
    static let category = FindingKind(
        .info, "F-WAYPOINT-CATEGORY", "the category is not one of the nine",
        why:
            "The app reads it as `custom`; here it has its own name. Another version of the app may define it.",
        fix: "none needed, or set one of `category list`")
    static let text = FindingKind(
        .warning, "F-WAYPOINT-TEXT", "a text is not stored as text",
        why: "Label, category and note are text, empty rather than NULL; apps may fail on anything else.",
        fix: "store it as text")
    static let hike = FindingKind(
        .error, "F-WAYPOINT-HIKE", "the link to a hike is not a UUID",
        why: "hike_id is a UUID or NULL; apps fail on anything else.",
        fix: "set it to NULL or to the hike's UUID")
    static let flag = FindingKind(
        .warning, "F-WAYPOINT-FLAG", "the photo flag does not match what is stored",
        why: """
            has_photo is 1 if a photo or its thumbnail is stored, else 0. Lists show the camera \
            icon by the flag alone.
            """, fix: "set has_photo to match")
    static let photo = FindingKind(
        .error, "F-WAYPOINT-PHOTO", "the photo does not decode",
        why: "photo_data is a complete JPEG. This one is truncated, damaged, or something else.",
        fix: "restore the photo from another device, or remove it")
    static let thumbnail = FindingKind(
        .error, "F-WAYPOINT-THUMB", "the thumbnail does not decode",
        why: "photo_thumbnail is a complete JPEG; the watch shows nothing for a damaged one.",
        fix: "recreate it from the photo")
    static let thumbnailSize = FindingKind(
        .warning, "F-WAYPOINT-BIGTHUMB", "the thumbnail has the wrong size",
        why: "Thumbnails are 100 by 100 pixels and fit the watch link's 10,000 bytes.",
        fix: "recreate it from the photo")
    static let noThumbnail = FindingKind(
        .warning, "F-WAYPOINT-NOTHUMB", "the photo has no thumbnail",
        why: "Lists and the watch show the thumbnail; without one they show nothing.",
        fix: "create it from the photo")
    static let fraction = FindingKind(
        .warning, "F-WAYPOINT-FRACTION", "the app drops the waypoint for its date",
        why:
            "The iOS app reads only dates with a fraction of a second and silently skips every other row.",
        fix: "append the fraction, such as .000")
    static let zero = FindingKind(
        .warning, "F-WAYPOINT-ZERO", "the coordinate is 0,0",
        why: "A receiver without a fix, or a reader that read NULL, reports 0,0, a point in the Atlantic.",
        fix: "take the coordinate from the hike's track at the waypoint's time")
    static let swapped = FindingKind(
        .warning, "F-WAYPOINT-SWAPPED", "latitude and longitude look swapped",
        why: "No other waypoint is near; with both values exchanged the waypoint lies among the others.",
        fix: "exchange latitude and longitude")
    static let sign = FindingKind(
        .warning, "F-WAYPOINT-SIGN", "the sign of a coordinate looks lost",
        why:
            "No other waypoint is near; on the other side of the equator or of Greenwich the waypoint lies among the others, as after a reader that ignored S or W.",
        fix: "compare with the hike or photo of that time, and change the sign")
    static let onePlace = FindingKind(
        .warning, "F-WAYPOINT-ONEPLACE", "all waypoints are at one place",
        why:
            "Places differ, if only by the noise of a receiver: a statement or an import wrote one over all.",
        fix: "restore the coordinates from a backup or another device")
    static let record = FindingKind(
        .error, "F-WAYPOINT-RECORD", "two rows have one record in the cloud",
        why:
            "cloudkit_record_id names the record that a row is saved to: of two rows with the same one overwrites the other.",
        fix: "set it to NULL in the copy; the app creates a record of its own")
    static let height = FindingKind(
        .warning, "F-WAYPOINT-HEIGHT", "the height is implausible",
        why:
            "Heights are between the shore of the Dead Sea and the summit of Mount Everest. Feet, or a pressure, are not metres.",
        fix: "correct the altitude, or set it to NULL")
    static let year = FindingKind(
        .warning, "F-WAYPOINT-YEAR", "the date is implausible",
        why:
            "1970 is a clock that was never set; a date in the future has the wrong epoch, century or clock.",
        fix: "take the date from the hike's track, or from the photo")
    static let before = FindingKind(
        .warning, "F-WAYPOINT-BEFORE", "it was modified before it was created",
        why: "The newer of two versions is chosen by modified_at, and this one always loses.",
        fix: "set modified_at to the time of creation or later")
    static let same = FindingKind(
        .warning, "F-WAYPOINT-SAME", "the same waypoint under two identifiers",
        why: "Coordinate, time and label agree, as after an import that ran twice.",
        fix: "compare the rows and delete one of them")
    static let damaged = FindingKind(
        .warning, "F-WAYPOINT-NUL", "a text has a NUL, invalid bytes or HTML",
        why:
            "Readers in C end a text at a NUL, and drop or replace bytes that are not UTF-8. Lists show the tags and references of HTML as they stand.",
        fix: "remove the characters")
    static let index = FindingKind(
        .info, "F-WAYPOINT-INDEX", "an index is missing",
        why: "Without its indexes the app reads the whole table to show a map or a hike.",
        fix: "create the index")
    static let unchecked = FindingKind(
        .info, "F-WAYPOINT-UNCHECKED", "photos were not checked",
        why:
            "A library that decodes photos is missing on this machine, so that damaged photos are not found.",
        fix: "install the library that the finding names, and check again")
    static let all = [
        sign, record, onePlace,
        unchecked,
        columns, older, identifier, twice, place, altitude, time, modified, category, text, hike, flag, photo,
        thumbnail, thumbnailSize, noThumbnail, fraction, zero, swapped, height, year, before, same, damaged,
        index,
    ]
}
