import PluginKit

/// Kinds of error of exports.
enum ExportErrors {
    static let nothing = ErrorKind(
        "E-EXPORT-NOTHING", "nothing to export",
        explanation: """
            Name a hike or planned route, or pipe a value with a coordinate: `hike list | export hikes.gpx`, `waypoint list | \
            export places.geojson`. A hike without points cannot be written to a map format; a Markdown report requires none.
            """)
    static let one = ErrorKind(
        "E-EXPORT-ONE", "the format holds a single hike or route",
        explanation: """
            A Markdown or HTML report, a FIT file and community JSON hold one hike or route. PDF, GPX, TCX, GeoJSON \
            and KML hold several: `hike list | export hikes.gpx`; `hike list | export FOLDER --each --as html` writes a file each.
            """)
    static let times = ErrorKind(
        "E-EXPORT-TIMES", "the format requires times",
        explanation: """
            FIT and TCX activities consist of points with times, which planned routes and some recordings do not have. GPX, \
            KML and GeoJSON hold lines without times.
            """)
    static let drawing = ErrorKind(
        "E-EXPORT-DRAWING", "drawing the report failed",
        explanation: "The message is from the drawing library.")
    static let all = [nothing, one, times, drawing]
}
