import PluginKit

/// `export gpx`
struct ExportGPX: CommandProvider {
    let source: JourneySource

    var name: String { "export gpx" }

    var command: Command {
        Command(
            name, "write hikes, routes and waypoints as GPX 1.1",
            details: """
                \(ExportOptions.inputHelp) Elements are in schema order: metadata, a wpt for each waypoint, a trk with its \
                segments for each hike or route, heart rates in the Garmin TrackPointExtension. Coordinates are written to \
                10⁻⁷ degrees, elevations to a millimetre, times to a millisecond.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            .flag("as-route", "write lines as routes (rte) instead of tracks (trk)"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "to a file", "$walk | export gpx --out copy.gpx | get format", after: ExportExample.open,
                    gives: "gpx"),
                .init(
                    "a coordinate", "46.5,7.9 | export gpx",
                    gives: """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1">
                          <wpt lat="46.5" lon="7.9"/>
                        </gpx>
                        """),
            ], searchTerms: ["track", "wpt", "trk", "rte"]
        ) { input, context, named, out, asRoute, force in
            let journeys = try ExportOptions.placed(source.journeys(named, input, context))
            let bytes = try GPXFormat.bytes(journeys, asRoutes: asRoute) { written in
                try context.checkCancelled()
                context.progress.report("writing points", done: written)
            }
            return try ExportOptions.finish(
                bytes, "gpx", to: out, force: force, warnings: ExportOptions.notices(journeys, .gpx), context)
        }
    }
}
