import Formats
import PluginKit

/// `export kml`
struct ExportKML: LegacyCommand {
    let source: JourneySource

    let spec = CommandSpec(
        "export kml", "writes hikes, planned routes and places as KML 2.2",
        details: """
            \(ExportOptions.inputHelp) A placemark for each waypoint and line. Times and heart rates of a track's points, \
            for which KML 2.2 has no element, stand in its ExtendedData.
            """,
        parameters: [ExportOptions.thing.spec, ExportOptions.out.spec, ExportOptions.force.spec],
        input: ExportOptions.input, output: .value("text"), effect: .reads,
        examples: [
            .init(
                "to a file", "$walk | export kml --out walk.kml | get format", after: ExportExample.open,
                gives: "kml")
        ], searchTerms: ["earth", "placemark", "google"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let found = try source.journeys(try arguments[ExportOptions.thing], input, context)
        let journeys = try ExportOptions.placed(found)
        let bytes = try KMLWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
        return try ExportOptions.finish(
            bytes, "kml", arguments, warnings: journeys.flatMap(\.warnings), context)
    }
}
