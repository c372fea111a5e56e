import TrailStores

/// The kinds of finding in a waypoint store.
enum WaypointFindings {
    static let columns = FindingKind(
        .error, "F-WAYPOINT-TABLE", "a column is missing",
        why: "Without its identifier, place and time a row is no waypoint, and apps cannot read the store.",
        mend: "find out which program made the file; the column cannot be guessed")
    static let older = FindingKind(
        .info, "F-WAYPOINT-OLDER", "the store is of an older version",
        why:
            "Later versions of the app have added columns. A store without them is read as if they were empty.",
        mend: "nothing; opening it with --write adds the columns when a waypoint command first uses it")
    static let identifier = FindingKind(
        .error, "F-WAYPOINT-ID", "the identifier is no UUID",
        why: "Waypoints are told apart, linked and synchronised by a UUID; other text stops an app's reader.",
        mend: "give the row a new UUID, in upper case")
    static let twice = FindingKind(
        .error, "F-WAYPOINT-TWICE", "two rows have the same identifier",
        why: "The same UUID in upper and in lower case: SQLite keeps both, a reader takes them for one.",
        mend: "compare the rows and delete the older one")
    static let place = FindingKind(
        .error, "F-WAYPOINT-PLACE", "the place is not on Earth",
        why: """
            Latitudes are numbers between -90 and 90, longitudes between -180 and 180. Swapped values, text, \
            infinities and NULL (what SQLite stores for not-a-number) are not.
            """, mend: "correct the place; a latitude beyond 90 often was swapped with the longitude")
    static let altitude = FindingKind(
        .warning, "F-WAYPOINT-ALTITUDE", "the altitude cannot be",
        why: "Altitudes are metres above the sea. This one is no number, or far below or above any ground.",
        mend: "correct the altitude, or empty it")
    static let time = FindingKind(
        .error, "F-WAYPOINT-TIME", "the time cannot be read",
        why: "Times are ISO 8601 text such as 2026-02-06T08:15:30.123Z; a reader stops at anything else.",
        mend: "write the time in this form")
    static let modified = FindingKind(
        .warning, "F-WAYPOINT-MODIFIED", "the time of change cannot be read",
        why: "Synchronisation compares times of change; one that cannot be read loses against every other.",
        mend: "write an ISO 8601 time, or empty it")
    static let category = FindingKind(
        .info, "F-WAYPOINT-CATEGORY", "the category is not one of the nine",
        why: "Another version of the app may know it. It reads as `custom`, and is kept until it is edited.",
        mend: "nothing, or give it one of `waypoint categories`")
    static let text = FindingKind(
        .warning, "F-WAYPOINT-TEXT", "a text is not stored as text",
        why: "Label, category and note are text, empty rather than NULL; apps may not expect anything else.",
        mend: "store it as text")
    static let hike = FindingKind(
        .error, "F-WAYPOINT-HIKE", "the link to a hike is no UUID",
        why: "A waypoint names its hike by a UUID, or has NULL; a reader stops at anything else.",
        mend: "empty the column, or write the hike's UUID")
    static let flag = FindingKind(
        .warning, "F-WAYPOINT-FLAG", "the photo flag does not match what is stored",
        why: """
            has_photo is 1 where a photo or its thumbnail is stored and 0 where neither is. Lists show the camera \
            sign by the flag alone.
            """, mend: "set has_photo to what is stored")
    static let photo = FindingKind(
        .error, "F-WAYPOINT-PHOTO", "the photo does not decode",
        why: "photo_data is a whole JPEG. This one is cut off, damaged, or something else.",
        mend: "restore the photo from another device, or take it away")
    static let thumbnail = FindingKind(
        .error, "F-WAYPOINT-THUMB", "the thumbnail does not decode",
        why: "photo_thumbnail is a whole JPEG; the watch shows nothing for a damaged one.",
        mend: "make it anew from the photo")
    static let thumbnailSize = FindingKind(
        .warning, "F-WAYPOINT-BIGTHUMB", "the thumbnail is not of the size promised",
        why: "Thumbnails are 100 by 100 pixels and fit the watch link's 10,000 bytes.",
        mend: "make it anew from the photo")
    static let noThumbnail = FindingKind(
        .warning, "F-WAYPOINT-NOTHUMB", "the photo has no thumbnail",
        why: "Lists and the watch show the thumbnail; without one they show nothing.",
        mend: "make it from the photo")
    static let all = [
        columns, older, identifier, twice, place, altitude, time, modified, category, text, hike, flag, photo,
        thumbnail, thumbnailSize, noThumbnail,
    ]
}
