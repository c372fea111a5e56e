import Formats
import PluginKit

/// `export geojson`
struct ExportGeoJSON: CommandProvider {
    let source: JourneySource

    var command: Command {
        Command(
            "export geojson", "writes hikes, planned routes and places as GeoJSON",
            details: """
                \(ExportOptions.inputHelp) By RFC 7946: longitude first, a line across the antimeridian cut in two, a bounding \
                box. Times and heart rates of a track's points stand in the properties coordTimes and heartRates, as common \
                converters have them.
                """,
            ExportOptions.thing,
            ExportOptions.out,
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "a place", "46.5,7.9 | export geojson",
                    gives:
                        #"{"type":"FeatureCollection","bbox":[7.9,46.5,7.9,46.5],"features":[{"type":"Feature","geometry":"#
                        + #"{"type":"Point","coordinates":[7.9,46.5]},"properties":{"kind":"waypoint"}}]}"#),
                .init(
                    "to a file", "$walk | export geojson --out walk.geojson | get format",
                    after: ExportExample.open,
                    gives: "geojson"),
            ], searchTerms: ["json", "map", "features"]
        ) { input, context, thing, out, force in
            let journeys = try ExportOptions.placed(source.journeys(thing, input, context))
            let bytes = try GeoJSONWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
            return try ExportOptions.finish(
                bytes, "geojson", to: out, force: force, warnings: journeys.flatMap(\.warnings), context)
        }
    }
}
