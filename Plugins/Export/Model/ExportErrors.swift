import Formats
import PluginKit

/// Kinds of error of exports and imports.
enum ExportErrors {
    static let nothing = ErrorKind(
        "E-EXPORT-NOTHING", "there is nothing to export",
        explanation: """
            Give a hike or planned route by name or id, or put something with a place before the command: `hike list | \
            export gpx`, `waypoint list | export geojson`. A hike whose track is empty has nothing that a map format \
            could hold; `export markdown` still tells what is known of it.
            """)
    static let one = ErrorKind(
        "E-EXPORT-ONE", "this format holds one thing at a time",
        explanation: """
            A report, and the community's JSON, are about one hike or route. GPX, GeoJSON and KML hold several: `hike \
            list | export gpx`.
            """)
    static let out = ErrorKind(
        "E-EXPORT-OUT", "the file must be named",
        explanation: "A PDF is no text that could be shown: say with --out FILE where to write it.")
    static let drawing = ErrorKind(
        "E-EXPORT-DRAWING", "the report could not be drawn",
        explanation: "The message is the drawing library's.")
    static let format = ErrorKind(
        "E-IMPORT-FORMAT", "the file is not of this format",
        explanation: """
            The message tells what is missing or of the wrong kind, and where. GeoJSON is RFC 7946; the community's JSON \
            is described with `help export community`. Nothing was imported.
            """)
    static let value = ErrorKind(
        "E-IMPORT-VALUE", "a value in the file is not right",
        explanation: """
            Latitudes are within ±90°, longitudes within ±180°, elevations finite, times ISO 8601. The message names the \
            value and where it stands. Nothing was imported.
            """)
    static let tooLarge = ErrorKind(
        "E-IMPORT-TOOLARGE", "the file is too large",
        explanation: """
            Files are read into memory, so their size and their number of points are limited. Nothing was imported.
            """)
    static let changed = ErrorKind(
        "E-IMPORT-CHANGED", "what was imported was changed in the meantime",
        explanation: """
            Another session changed or deleted something that came with the import that is to be undone. It was left as \
            it is.
            """)

    static let all =
        [nothing, one, out, drawing, format, value, tooLarge, changed] + KMLErrors.all
}
