import PluginKit

/// Errors of the hike commands.
enum HikeErrors {
    static let changedSince = ErrorKind(
        "E-HIKE-CHANGED", "the hike was changed in the meantime",
        explanation: """
            Another session changed or deleted the hike after it was read, or after the change to undo. Nothing was \
            changed.
            """)
    static let nothingToChange = ErrorKind(
        "E-HIKE-NOCHANGE", "nothing to change",
        explanation: "The hike already has this name or comment, or the edit would not change its recording.")
    static let emptyName = ErrorKind(
        "E-HIKE-NAME", "a hike requires a name",
        explanation: "A name contains at least one character that is not blank.")

    static let noPoints = ErrorKind(
        "E-HIKE-NOPOINTS", "the hike has no points",
        explanation: """
            The hike's row exists, but its track is empty, for example because an app lost the recording. `hike show` shows \
            its stored figures.
            """)

    static let range = ErrorKind(
        "E-HIKE-RANGE", "no such part of the hike",
        explanation: """
            Times and distances of a part must be within the hike, the start before the end. `hike points` lists the points. \
            Nothing was changed.
            """)
    static let overlap = ErrorKind(
        "E-HIKE-OVERLAP", "recordings of the same time",
        explanation: """
            Two devices recorded one walk, or a clip was cut from it. Joined, its distance and time would count twice.
            """)
    static let noTimes = ErrorKind(
        "E-HIKE-NOTIMES", "the hike has no times",
        explanation: "The command requires the times of the points, which the recording does not have.")
    static let noElevations = ErrorKind(
        "E-HIKE-NOELEVATIONS", "the hike has no elevations",
        explanation: """
            The command requires elevations, which the recording does not have. `hike elevation` reads them from a \
            terrain model.
            """)
    static let noSensor = ErrorKind(
        "E-HIKE-NOSENSOR", "the recording has no such measurement",
        explanation: "No sensor of this kind was recorded. `hike show` lists the recorded ones.")

    static let photos = ErrorKind(
        "E-HIKE-PHOTOS", "the photos cannot be used",
        explanation: """
            Photos are JPEG, PNG or HEIC files of at most 100 megapixels and 256 MB. A photo that cannot be read is listed \
            with the reason while others are matched; one that is damaged after its headers fails the command. Nothing \
            was added or written.
            """)

    static let terrain = ErrorKind(
        "E-HIKE-TERRAIN", "no terrain model for the hike",
        explanation: """
            Elevations are looked up in the tiles of imported regions: `region import FILE --elevation FILE`, or in those \
            that --file names. A region imported without tiles, or by an earlier version, has none: \
            `region import --update` adds them. --from recording repairs the elevations of the recording itself.
            """)
    static let picture = ErrorKind(
        "E-HIKE-PICTURE", "the picture cannot be written",
        explanation: "The extension of the file selects the format: .svg, .png or .pdf.")

    static let all = [
        overlap, changedSince, nothingToChange, emptyName, noPoints, range, noTimes, noElevations, noSensor,
        photos,
        terrain, picture,
    ]
}
