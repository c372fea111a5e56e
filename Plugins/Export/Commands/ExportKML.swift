import Formats
import PluginKit

/// `export kml`
struct ExportKML: CommandProvider {
    let source: JourneySource

    var name: String { "export kml" }

    var command: Command {
        Command(
            name, "write hikes, routes and waypoints as KML 2.2",
            details: """
                \(ExportOptions.inputHelp) A placemark for each waypoint and line. Times and heart rates of track points, for \
                which KML 2.2 has no element, are in its ExtendedData.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "to a file", "$walk | export kml --out walk.kml | get format", after: ExportExample.open,
                    gives: "kml")
            ], searchTerms: ["earth", "placemark", "google"]
        ) { input, context, named, out, force in
            let journeys = try ExportOptions.placed(source.journeys(named, input, context))
            let bytes = try KMLWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
            return try ExportOptions.finish(
                bytes, "kml", to: out, force: force, warnings: ExportOptions.notices(journeys, .kml), context)
        }
    }
}
