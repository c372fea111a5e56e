import PluginKit

/// Kinds of error of beacons.
enum BeaconErrors {
    static let none = ErrorKind(
        "E-BEACON-NONE", "unknown beacon",
        explanation:
            "`beacon list` shows the beacons. Refer to a beacon by its name or the first letters of its id."
    )
    static let north = ErrorKind(
        "E-BEACON-NORTH", "north does not support this change",
        explanation: """
            North is a direction and always exists. It can be switched off and on with `beacon edit north --enabled \
            false`, and its tone can be changed, but it cannot be moved, renamed or deleted.
            """)
    static let name = ErrorKind(
        "E-BEACON-NAME", "invalid or duplicate name",
        explanation: """
            The name of a beacon or tone is one line of at most 200 bytes, and unique. `north` is reserved.
            """)
    static let tone = ErrorKind(
        "E-BEACON-TONE", "unknown or invalid tone",
        explanation: """
            Frequencies are 20 Hz to 20 kHz, a ping lasts 1 ms to 10 s and no longer than its interval, levels and decays \
            are not negative (`tone show`, `help tone add`). `tone list` shows the tones.
            """)
    static let nothingToChange = ErrorKind(
        "E-BEACON-NOCHANGE", "no change given",
        explanation: "The command requires at least one option with a new value.")
    static let file = ErrorKind(
        "E-BEACON-FILE", "damaged file of beacons or tones",
        explanation: """
            locations.json, tones.json and north.json in the workspace hold the beacons, their tones and north. A file that \
            cannot be read is never overwritten: correct it, or move it away.
            """)
    static let changedSince = ErrorKind(
        "E-BEACON-CHANGED", "the beacons were changed by another session",
        explanation:
            "Another session changed the same file after the change to undo. Nothing was changed."
    )
    static let listener = ErrorKind(
        "E-BEACON-LISTENER", "invalid or missing listener",
        explanation: """
            A scene requires --place and --heading, or --track with a GPX file of at least two points. --turn is an angle per \
            time, such as 90deg/10s.
            """)
    static let sofa = ErrorKind(
        "E-BEACON-SOFA", "unusable head-related transfer function",
        explanation: """
            A SOFA file (AES69) of the convention SimpleFreeFieldHRIR is required: two ears, one emitter, impulse \
            responses. Other sampling rates are resampled. Without --sofa the file installed with libmysofa is used; \
            without that, or with --simple, only the time and level difference between the ears is used.
            """)
    static let sound = ErrorKind(
        "E-BEACON-NOSOUND", "cannot play sound",
        explanation: """
            `beacon play` requires one of the programs pw-play, paplay, aplay, play or ffplay, and a sound card. \
            `beacon render --out FILE.wav` always works.
            """)

    static let picture = ErrorKind(
        "E-BEACON-PICTURE", "cannot write the compass",
        explanation: "The file extension selects the format: .svg or .png.")

    static let group = ErrorKind(
        "E-BEACON-GROUP", "unknown or invalid group",
        explanation: """
            A group exists while a beacon is in it: `beacon edit BEACON… --group NAME` puts beacons into one, and \
            `beacon list | select name group` shows them.
            """)
    static let card = ErrorKind(
        "E-BEACON-CARD", "contacts without a usable place",
        explanation: """
            A contact becomes a beacon by the place (GEO) of its card, or by an address (ADR) that `place find` finds. The \
            message says what the file lacks.
            """)

    static let link = ErrorKind(
        "E-BEACON-LINK", "links without a place",
        explanation: """
            A link becomes a beacon by its place: geo:46.5,7.9, or an address of OpenStreetMap, Apple's or Google's maps with the \
            latitude and longitude in it.
            """)
    static let route = ErrorKind(
        "E-BEACON-ROUTE", "no route to follow",
        explanation: """
            A planned or saved route, a file with waypoints or a route, or rows with a place each are required, of at least two \
            places. A track has no turns: `route match FILE | beacon route` finds them where a region is imported.
            """)

    static let all = [
        group, card, link, route, none, north, name, tone, nothingToChange, file, changedSince, listener,
        sofa, sound,
        picture,
    ]
}
