import PluginKit

/// Errors of the hike commands.
enum HikeErrors {
    static let noTrack = ErrorKind(
        "E-HIKE-NOTRACK", "the file has no track",
        explanation: """
            A hike requires a `trk` with at least one point. Import files with only waypoints with `waypoint import`.
            """)
    static let noSuchTrack = ErrorKind(
        "E-HIKE-TRACKNUMBER", "track number out of range",
        explanation: "Tracks of a file are counted from 1; without --number all are imported.")
    static let changedSince = ErrorKind(
        "E-HIKE-CHANGED", "the hike was changed in the meantime",
        explanation: """
            Another session changed or deleted the hike after the change that you undo. Nothing was changed.
            """)
    static let nothingToChange = ErrorKind(
        "E-HIKE-NOCHANGE", "nothing to change",
        explanation: "The hike already has this name or comment.")
    static let emptyName = ErrorKind(
        "E-HIKE-NAME", "a hike needs a name",
        explanation: "A name contains at least one character that is not blank.")

    static let noPoints = ErrorKind(
        "E-HIKE-NOPOINTS", "the hike has no points",
        explanation: """
            The hike's row exists, but its track is empty, as an app leaves it when a recording is lost. `hike show` shows \
            its stored numbers.
            """)

    static let all = [noTrack, noSuchTrack, changedSince, nothingToChange, emptyName, noPoints]
}
