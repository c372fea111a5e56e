import PluginKit

/// Kinds of error of waypoints.
enum WaypointErrors {
    static let nothingToPlace = ErrorKind(
        "E-WAYPOINT-PLACE", "the waypoint has no place",
        explanation: """
            A waypoint needs a place: give LAT,LON, or a photo whose EXIF data tell where it was taken.
            """)
    static let nothingToChange = ErrorKind(
        "E-WAYPOINT-NOCHANGE", "there is nothing to change",
        explanation: "`waypoint edit` needs at least one option that says what is to change.")
    static let noPhoto = ErrorKind(
        "E-WAYPOINT-NOPHOTO", "the waypoint has no photo",
        explanation: "Add one with `waypoint edit WAYPOINT --photo FILE`.")
    static let photo = ErrorKind(
        "E-WAYPOINT-PHOTO", "the photo cannot be used",
        explanation: """
            Photos are JPEG or PNG files of at most 100 megapixels. What is not an image, or is cut off, is \
            refused and nothing is stored.
            """)
    static let changedSince = ErrorKind(
        "E-WAYPOINT-CHANGED", "the waypoint was changed in the meantime",
        explanation: """
            Another session changed or deleted the waypoint after the change that is to be undone. Nothing was \
            touched.
            """)
    static let noHike = ErrorKind(
        "E-WAYPOINT-NOHIKE", "there is no such hike",
        explanation: """
            A waypoint is linked to a hike by its name or id (`hike list`), or by a whole UUID when the hike is not \
            in this workspace.
            """)

    static let all = [nothingToPlace, nothingToChange, noPhoto, photo, changedSince, noHike]
}
