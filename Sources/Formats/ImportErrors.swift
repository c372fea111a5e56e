import Core

/// Kinds of error of files that are read into the workbench, whatever they become.
public enum ImportErrors {
    /// Not a file of a known format, or not in the form of its format.
    public static let format = ErrorKind(
        "E-IMPORT-FORMAT", "invalid file format",
        explanation: """
            The format of a file is recognised by its content, not by its name: GPX, FIT, TCX, KML, GeoJSON, NMEA \
            0183, IGC, tracks of OziExplorer, tables with columns for latitude and longitude, JSON of records with a position and a \
            time, Google's history of places and community JSON, also compressed by gzip or in a ZIP archive. The message names what is missing or invalid, and its \
            location. GeoJSON is RFC 7946. Nothing was imported.
            """)
    /// A value out of its range.
    public static let value = ErrorKind(
        "E-IMPORT-VALUE", "invalid value in the file",
        explanation: """
            Latitudes are within ±90°, longitudes within ±180°, elevations finite, times ISO 8601. The message names the \
            value and its location. Nothing was imported.
            """)
    /// More bytes or points than are kept in memory.
    public static let tooLarge = ErrorKind(
        "E-IMPORT-TOOLARGE", "the file is too large",
        explanation: """
            Files are read into memory, so their size and number of points are limited. Nothing was imported.
            """)

    /// A file without anything that can be imported.
    public static let nothing = ErrorKind(
        "E-IMPORT-NOTHING", "nothing to import",
        explanation: """
            The file is readable, but has no track, route or waypoint, or none of those that --as or --number ask for. \
            Nothing was imported.
            """)
    /// A number that no line has.
    public static let number = ErrorKind(
        "E-IMPORT-NUMBER", "no such line in the file",
        explanation: "--number counts the tracks of a file from 1, then its routes. Nothing was imported.")
    /// A file that is not read as it stands, where that was asked for.
    public static let strict = ErrorKind(
        "E-IMPORT-STRICT", "the file is not read as it stands",
        explanation: """
            With --strict a file is refused if a point of it would be left out, a value repaired, treated as unknown or \
            doubted. The message names the first of these. Without --strict everything else is imported, and the import \
            says what was not. Nothing of the file was imported.
            """)
    /// An undo of what was changed since.
    public static let changed = ErrorKind(
        "E-IMPORT-CHANGED", "the imported records were changed by another session",
        explanation: """
            Another session changed or deleted records of the import to undo. Nothing was changed.
            """)

    /// All kinds of this list.
    public static let all = [format, value, tooLarge, nothing, number, strict, changed]
}
