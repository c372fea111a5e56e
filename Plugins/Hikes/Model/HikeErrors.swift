import PluginKit

/// Kinds of error of hikes.
enum HikeErrors {
    static let noTrack = ErrorKind(
        "E-HIKE-NOTRACK", "the file has no track",
        explanation: """
            A hike is made of a `trk` with at least one point. Files with waypoints only are imported by `waypoint import`.
            """)
    static let noSuchTrack = ErrorKind(
        "E-HIKE-TRACKNUMBER", "the file has no track of this number",
        explanation: "Tracks of a file are counted from 1; without --number all of them are imported.")
    static let changedSince = ErrorKind(
        "E-HIKE-CHANGED", "the hike was changed in the meantime",
        explanation: """
            Another session changed or deleted the hike after the change that is to be undone. Nothing was touched.
            """)
    static let nothingToChange = ErrorKind(
        "E-HIKE-NOCHANGE", "there is nothing to change",
        explanation: "The hike has this name or comment already.")
    static let emptyName = ErrorKind(
        "E-HIKE-NAME", "a hike needs a name", explanation: "Give a name that is not empty.")

    static let noPoints = ErrorKind(
        "E-HIKE-NOPOINTS", "the hike has no points",
        explanation: """
            The hike's row is there, but its track is empty, as an app leaves it when a recording was lost. Its numbers \
            are shown by `hike show`.
            """)

    static let all = [noTrack, noSuchTrack, changedSince, nothingToChange, emptyName, noPoints]
}
