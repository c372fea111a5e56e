import Foundation
import Pictures
import PluginKit

/// `export html`
struct ExportHTML: CommandProvider {
    let source: JourneySource

    var name: String { "export html" }

    var command: Command {
        Command(
            name, "write a web page of a hike or planned route",
            details: """
                \(ExportOptions.inputHelp) One file that uses no network: a map with zoom and pan, \
                with the background of `export pdf`; an elevation profile that is linked to the \
                map; charts of heart rate and pace; the cue sheet of a planned route; photos; waypoints and the comment. \
                Output is reproducible. Photos carry no EXIF.
                """,
            ExportOptions.subject,
            .option("out", .outputFile, "HTML file to write"),
            ExportOptions.units,
            .option(
                "tiles", .inputFile,
                "MBTiles file for the map; default: the region's, or its trail network"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("exportedFile"), effect: .reads,
            examples: [
                .init(
                    "a page", "$walk | export html --out walk.html | get format", after: ExportExample.open,
                    gives: "html"),
                .init(
                    "a file is required", "expect-error E-EXPORT-OUT 46.5,7.9 | export html",
                    gives: "a page requires a file"),
            ], searchTerms: ["report", "web", "page", "share", "map"]
        ) { input, context, named, out, units, tiles, force in
            guard let url = out else {
                throw ExportErrors.out("a page requires a file", fix: "export html … --out report.html")
            }
            // Checked before rendering, so that no work is lost.
            try StagedFile.checkFree(url, force: force)
            let journey = try ExportOptions.one(source.journeys(named, input, context), "html")
            let layers = BaseLayers(tiles: tiles, region: journey.regionID, context: context)
            context.progress.report("drawing the page", done: 0)
            let report = HTMLReport(
                journey: journey, wording: ExportOptions.wording(units, context), base: layers.layer,
                check: context.checkCancelled)
            let document = try report.document()
            return try ExportOptions.finish(
                Array(document.html.utf8), "html", to: url, force: force, warnings: document.warnings,
                photos: document.photos > 0 ? document.photos : nil, context)
        }
    }
}
