import Foundation
import Pictures
import PluginKit

/// `export pdf`
struct ExportPDF: CommandProvider {
    let source: JourneySource

    var name: String { "export pdf" }

    var command: Command {
        Command(
            name, "write a PDF report of hikes or planned routes",
            details: """
                \(ExportOptions.inputHelp) A4. The first page has a map with the route and its waypoints, and the statistics; \
                the second the elevation profile and splits; then photos, and the table of waypoints with the comment. The \
                background is the region's tiles (MBTiles in the workspace), or its trail network, or blank; nothing is \
                fetched from the network. Text can be selected. Output is reproducible: its date is that of the hike's last \
                change. Missing glyphs and unreadable photos are reported as warnings. Several hikes form one report, with a \
                list and totals first: `hike list | export pdf --out week.pdf`.
                """,
            ExportOptions.subject,
            .option("out", .outputFile, "PDF file to write"),
            ExportOptions.units,
            .option(
                "tiles", .inputFile,
                "MBTiles file for the map; default: the region's, or its trail network"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("exportedFile"), effect: .reads,
            examples: [
                .init(
                    "a report", "$walk | export pdf --out walk.pdf", after: ExportExample.open,
                    gives: "3 pages written to walk.pdf"),
                .init(
                    "a file is required", "expect-error E-EXPORT-OUT 46.5,7.9 | export pdf",
                    gives: "a PDF requires a file"),
            ], searchTerms: ["report", "print", "paper", "map"]
        ) { input, context, named, out, units, tiles, force in
            guard let url = out else {
                throw ExportErrors.out("a PDF requires a file", fix: "export pdf … --out report.pdf")
            }
            // Checked before rendering, so that no work is lost.
            try StagedFile.checkFree(url, force: force)
            let journeys = try source.journeys(named, input, context)
            context.progress.report("drawing the report", done: 0)
            let report = Report(
                journeys: journeys, wording: ExportOptions.wording(units, context),
                base: { view, journey in
                    let layers = BaseLayers(tiles: tiles, region: journey.regionID, context: context)
                    return try layers.layer(for: view)
                }, check: context.checkCancelled)
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
