/// Kinds of error that every area uses.
public enum CommonErrors {
    /// A file that is to be read does not exist.
    public static let fileMissing = ErrorKind(
        "E-FILE-MISSING", "there is no such file",
        explanation: """
            The path is taken relative to the folder the program was started in; in a notebook, relative to \
            the notebook's folder and the folder given with --data. Check the spelling; names are completed \
            with Tab.
            """)
    /// A file cannot be read or written.
    public static let fileAccess = ErrorKind(
        "E-FILE-ACCESS", "the file cannot be read or written",
        explanation: """
            The operating system refused: the message names the reason it gave, such as missing permission, a \
            folder where a file is expected, or a full disk. Nothing was changed.
            """)
    /// A file exists already.
    public static let fileExists = ErrorKind(
        "E-FILE-EXISTS", "the file exists already",
        explanation: """
            Files are never overwritten silently. Choose another name, or say --force where the command \
            offers it.
            """)
    /// A path outside of what a confined session may touch.
    public static let confined = ErrorKind(
        "E-FILE-CONFINED", "the notebook may not use this path",
        explanation: """
            A notebook reads only its own folder, the data it names and its workspace, and writes only its \
            workspace, so that a stranger's notebook is safe to run. Run it with --allow-read DIR or \
            --allow-write DIR if you trust it.
            """)
    /// Work was stopped by the user.
    public static let interrupted = ErrorKind(
        "E-INTERRUPTED", "stopped",
        explanation: "The command was stopped with Ctrl-C before it had finished. Nothing was changed.")
    /// A value of the wrong kind came through the pipe.
    public static let inputKind = ErrorKind(
        "E-INPUT-KIND", "the command cannot use this value",
        explanation: """
            Each command says with `help COMMAND` which kind of value it takes from the pipe. Look at what \
            the part before it gives with `describe`.
            """)
    /// An argument outside of its range.
    public static let argumentRange = ErrorKind(
        "E-ARG-RANGE", "the value is out of range",
        explanation: "The parameter takes values of a certain range only; the message names it.")
    /// The workspace could not be used.
    public static let workspace = ErrorKind(
        "E-WORKSPACE", "the workspace cannot be used",
        explanation: """
            The workspace is the folder where your own stores are kept (`--workspace DIR`, by default under \
            XDG_DATA_HOME). It must be a folder that you may write to.
            """)
    /// A library of C is not installed.
    public static let libraryMissing = ErrorKind(
        "E-LIBRARY-MISSING", "a library that the command needs is not installed",
        explanation: """
            Most libraries are loaded when a command first needs them, so that the workbench builds and starts without \
            them. Install the package that the message names; if the program was built without it, build it again. \
            `plugins` lists what is off.
            """)
    /// A value without a place where one is needed.
    public static let noPlace = ErrorKind(
        "E-DATA-PLACE", "there is no place in the value",
        explanation: """
            Formats for maps such as GeoJSON and GPX are made of places: coordinates, lists of coordinates (a line), \
            and rows, records or objects with a coordinate in the field `at` or in any other. Latitudes are within \
            ±90°, longitudes within ±180°.
            """)

    /// All kinds of this list.
    public static let all = [
        fileMissing, fileAccess, fileExists, confined, interrupted, inputKind, argumentRange, workspace,
        libraryMissing, noPlace,
    ]
}
