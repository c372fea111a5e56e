import Formats
import PluginKit

/// `export geojson`
struct ExportGeoJSON: CommandProvider {
    let source: JourneySource

    var name: String { "export geojson" }

    var command: Command {
        Command(
            name, "write hikes, routes and waypoints as GeoJSON",
            details: """
                \(ExportOptions.inputHelp) RFC 7946: longitude first, lines cut at the antimeridian, a bounding box. Times and \
                heart rates of track points are in the properties coordTimes and heartRates, as toGeoJSON writes them.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "a coordinate", "46.5,7.9 | export geojson",
                    gives:
                        #"{"type":"FeatureCollection","bbox":[7.9,46.5,7.9,46.5],"features":[{"type":"Feature","geometry":"#
                        + #"{"type":"Point","coordinates":[7.9,46.5]},"properties":{"kind":"waypoint"}}]}"#),
                .init(
                    "to a file", "$walk | export geojson --out walk.geojson | get format",
                    after: ExportExample.open,
                    gives: "geojson"),
            ], searchTerms: ["json", "map", "features"]
        ) { input, context, named, out, force in
            let journeys = try ExportOptions.placed(source.journeys(named, input, context))
            let bytes = try GeoJSONWriter.bytes(MapDocument(journeys), check: context.checkCancelled)
            return try ExportOptions.finish(
                bytes, "geojson", to: out, force: force, warnings: ExportOptions.notices(journeys, .geojson),
                context)
        }
    }
}
