import PluginKit

/// Kinds of error of beacons.
enum BeaconErrors {
    static let none = ErrorKind(
        "E-BEACON-NONE", "there is no such beacon",
        explanation:
            "`beacon list` shows the beacons. They are called by name or by the first letters of their id.")
    static let north = ErrorKind(
        "E-BEACON-NORTH", "north cannot be changed so",
        explanation: """
            North is a direction and no place: it is always there. It can be switched off and on with `beacon disable \
            north` and `beacon enable north`, and can have another tone, but it is neither moved, renamed nor deleted.
            """)
    static let name = ErrorKind(
        "E-BEACON-NAME", "the name cannot be used",
        explanation: """
            A beacon or tone has a name of one line, of at most 200 bytes, that none of the others has; `north` is taken.
            """)
    static let tone = ErrorKind(
        "E-BEACON-TONE", "the tone cannot be used",
        explanation: """
            Frequencies are 20 Hz to 20 kHz, a ping lasts 1 ms to 10 s and no longer than its interval, levels and decays \
            are not negative (`tone show`, `help tone add`). `tone list` shows the tones.
            """)
    static let nothingToChange = ErrorKind(
        "E-BEACON-NOCHANGE", "there is nothing to change",
        explanation: "The command needs at least one option that says what is to change.")
    static let file = ErrorKind(
        "E-BEACON-FILE", "a file of beacons or tones is damaged",
        explanation: """
            locations.json, tones.json and north.json in the workspace hold the beacons, their tones and north. What cannot \
            be read is never overwritten: mend the file, or move it away.
            """)
    static let changedSince = ErrorKind(
        "E-BEACON-CHANGED", "the beacons were changed in the meantime",
        explanation:
            "Another session changed the same file after the change that is to be undone. Nothing was touched."
    )
    static let listener = ErrorKind(
        "E-BEACON-LISTENER", "the listener's place, heading or walk cannot be used",
        explanation: """
            A scene needs --at and --heading, or --walk with a GPX file of at least two points. --turn is an angle in a \
            time, such as 90deg/10s.
            """)
    static let sofa = ErrorKind(
        "E-BEACON-SOFA", "the head-related transfer function cannot be used",
        explanation: """
            A SOFA file (AES69) of the convention SimpleFreeFieldHRIR is needed: two ears, one emitter, impulse responses. \
            Other sampling rates are resampled. Without --sofa the file that libmysofa brings is used, and where there is \
            none, or with --simple, the difference of time and level between the ears.
            """)
    static let sound = ErrorKind(
        "E-BEACON-NOSOUND", "there is no way to play sound here",
        explanation: """
            `beacon play` needs one of the programs pw-play, paplay or aplay, and a sound card. `beacon render --out \
            FILE.wav` always works.
            """)

    static let picture = ErrorKind(
        "E-BEACON-PICTURE", "the compass cannot be written like this",
        explanation: "The file's ending tells the format: .svg or .png.")

    static let all = [
        none, north, name, tone, nothingToChange, file, changedSince, listener, sofa, sound, picture,
    ]
}
