/// Kinds of error that every area uses.
public enum CommonErrors {
    /// A file that is to be read does not exist.
    public static let fileMissing = ErrorKind(
        "E-FILE-MISSING", "no such file",
        explanation: """
            Paths are relative to the working directory; in a notebook, to the notebook's folder and the folder of \
            --data. Check the spelling; Tab completes names.
            """)
    /// A file cannot be read or written.
    public static let fileAccess = ErrorKind(
        "E-FILE-ACCESS", "the file cannot be read or written",
        explanation: """
            The message has the operating system's reason, such as missing permission, a folder where a file is \
            expected, or a full disk. Nothing was changed.
            """)
    /// A file already exists.
    public static let fileExists = ErrorKind(
        "E-FILE-EXISTS", "the file already exists",
        explanation: """
            Files are never overwritten silently. Choose another name, or use --force where the command \
            supports it.
            """)
    /// A path that a confined session may not access.
    public static let confined = ErrorKind(
        "E-FILE-CONFINED", "path not allowed for a notebook",
        explanation: """
            A notebook reads only its own folder, the data it names and its workspace, and writes only its \
            workspace, so that a stranger's notebook is safe to run. Use --allow-read DIR or \
            --allow-write DIR if you trust it.
            """)
    /// Work was stopped by the user.
    public static let interrupted = ErrorKind(
        "E-INTERRUPTED", "stopped",
        explanation: "The command was stopped with Ctrl-C before it finished. Nothing was changed.")
    /// A value of the wrong kind came through the pipe.
    public static let inputKind = ErrorKind(
        "E-INPUT-KIND", "unsupported input",
        explanation: """
            `help COMMAND` shows the kind of value that a command takes from the pipe; `describe` shows the kind of a \
            value.
            """)
    /// An argument outside of its range.
    public static let argumentRange = ErrorKind(
        "E-ARG-RANGE", "the value is out of range",
        explanation: "The parameter takes values within a range; the message names it.")
    /// The workspace could not be used.
    public static let workspace = ErrorKind(
        "E-WORKSPACE", "the workspace cannot be used",
        explanation: """
            The workspace is the folder of your own stores (`--workspace DIR`, by default under \
            XDG_DATA_HOME). It must be a writable folder.
            """)
    /// A C library is not installed.
    public static let libraryMissing = ErrorKind(
        "E-LIBRARY-MISSING", "a required library is not installed",
        explanation: """
            Most libraries are loaded when a command first requires them, so that the workbench builds and starts \
            without them. Install the package that the message names; if the program was built without it, rebuild \
            it. `plugin list` shows what is unavailable.
            """)
    /// The process may open no further file.
    public static let tooManyFiles = ErrorKind(
        "E-LIMIT-FILES", "too many open files",
        explanation: """
            The system limits how many files, pipes and connections a process has open at a time (`ulimit -n`). Libraries and \
            stores are files, too. Raise the limit and start again.
            """)
    /// A value without a required coordinate.
    public static let noPlace = ErrorKind(
        "E-DATA-PLACE", "the value has no coordinate",
        explanation: """
            Map formats such as GeoJSON and GPX require coordinates, lists of coordinates (a line), \
            and rows, records or objects with a coordinate in the field `at` or in any other. Latitudes are within \
            ±90°, longitudes within ±180°.
            """)

    /// More rows than are kept in memory.
    public static let tooManyRows = ErrorKind(
        "E-LIMIT-ROWS", "too many rows to keep in memory",
        explanation: """
            Commands such as `sort`, `reverse` and `group` need all rows at once; they keep no more than the setting \
            rows.limit. `where`, `select`, `extend`, `first`, `count` and `summarize` stream and have no such limit.
            """)

    /// All kinds of this list.
    public static let all = [
        fileMissing, fileAccess, fileExists, confined, interrupted, inputKind, argumentRange, workspace,
        libraryMissing, noPlace, tooManyFiles, tooManyRows,
    ]
}
