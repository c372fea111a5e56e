import Foundation
import Pictures
import PluginKit

/// `export pdf`
struct ExportPDF: CommandProvider {
    let source: JourneySource

    var command: Command {
        Command(
            "export pdf", "draws a hike, a planned route or places as a report on A4",
            details: """
                \(ExportOptions.inputHelp) The first page has the map with the route and its waypoints and the numbers, the \
                second the elevation and the parts of the way; pages with the photos follow, and the table of waypoints with \
                the comments. The map is drawn on the tiles of the region (MBTiles beside it in the workspace), else on its \
                trail network, else on plain ground; nothing is fetched from the network. Text can be selected. The same hike \
                gives the same bytes each time; its date is that of the hike's last change. A letter that no installed font \
                has, and a photo that is none, is told as a warning.
                """,
            ExportOptions.thing,
            .option("out", .outputFile, "the PDF file to write"),
            ExportOptions.units,
            .option(
                "tiles", .inputFile,
                "an MBTiles file to draw the map on; by default the region's, else its trail network"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("exportedFile"), effect: .reads,
            examples: [
                .init(
                    "a report", "$walk | export pdf --out walk.pdf", after: ExportExample.open,
                    gives: "3 pages written to walk.pdf"),
                .init(
                    "a file is needed", "expect-error E-EXPORT-OUT 46.5,7.9 | export pdf",
                    gives: "a PDF needs a file"),
            ], searchTerms: ["report", "print", "paper", "map"]
        ) { input, context, thing, out, units, tiles, force in
            guard let url = out else {
                throw ExportErrors.out("a PDF needs a file", fix: "export pdf … --out report.pdf")
            }
            // Before the work is done, not after.
            try StagedFile.checkFree(url, force: force)
            let journey = try ExportOptions.one(source.journeys(thing, input, context), "pdf")
            let layers = BaseLayers(tiles: tiles, region: journey.regionID, context: context)
            context.progress.report("drawing the report", done: 0)
            let report = Report(
                journey: journey, wording: ExportOptions.wording(units, context), base: layers.layer,
                check: context.checkCancelled)
            let document = try report.document()
            try context.checkCancelled()
            try OutputFile.write(document.pdf, to: url, force: force)
            return .object(
                ExportedFile(
                    name: url.lastPathComponent, format: "pdf", bytes: document.pdf.count,
                    pages: document.pages,
                    warnings: document.warnings))
        }
    }
}
