import PluginKit

/// Errors of the waypoint commands.
enum WaypointErrors {
    static let nothingToPlace = ErrorKind(
        "E-WAYPOINT-PLACE", "the waypoint has no coordinate",
        explanation: """
            A waypoint requires LAT,LON, or a photo with an EXIF position.
            """)
    static let nothingToChange = ErrorKind(
        "E-WAYPOINT-NOCHANGE", "nothing to change",
        explanation: "`waypoint edit` requires at least one option with a new value.")
    static let noPhoto = ErrorKind(
        "E-WAYPOINT-NOPHOTO", "the waypoint has no photo",
        explanation: "Add one with `waypoint edit WAYPOINT --photo FILE`.")
    static let photo = ErrorKind(
        "E-WAYPOINT-PHOTO", "the photo cannot be used",
        explanation: """
            Photos are JPEG, PNG or HEIC files of at most 100 megapixels. Other or truncated files are \
            rejected and nothing is stored.
            """)
    static let changedSince = ErrorKind(
        "E-WAYPOINT-CHANGED", "the waypoint was changed in the meantime",
        explanation: """
            Another session changed or deleted the waypoint after it was read, or after the change to undo. \
            Nothing was changed.
            """)
    static let noHike = ErrorKind(
        "E-WAYPOINT-NOHIKE", "unknown hike",
        explanation: """
            Name a hike by its name or id (`hike list`), or by its full UUID if it is not \
            in this workspace.
            """)

    static let category = ErrorKind(
        "E-CATEGORY", "no such category, or none that can be",
        explanation: """
            The nine categories of the app do not change; `category add NAME` adds others. Identifiers and names are each \
            used once.
            """)
    static let categoryFile = ErrorKind(
        "E-CATEGORY-FILE", "categories.json cannot be read",
        explanation: """
            categories.json in the workspace holds the categories of one's own: an array of objects with `category`, `name`, \
            `color` of six hexadecimal digits and `icon`.
            """)

    static let all = [
        nothingToPlace, nothingToChange, noPhoto, photo, changedSince, noHike, category, categoryFile,
    ]
}
