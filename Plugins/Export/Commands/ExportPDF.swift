import Foundation
import Pictures
import PluginKit

/// `export pdf`
struct ExportPDF: LegacyCommand {
    let source: JourneySource
    private static let out = Parameter.option("out", .outputFile, "the PDF file to write")
    private static let tiles = Parameter.option(
        "tiles", .inputFile,
        "an MBTiles file to draw the map on; by default the region's, else its trail network")

    let spec = CommandSpec(
        "export pdf", "draws a hike, a planned route or places as a report on A4",
        details: """
            \(ExportOptions.inputHelp) The first page has the map with the route and its waypoints and the numbers, the \
            second the elevation and the parts of the way; pages with the photos follow, and the table of waypoints with \
            the comments. The map is drawn on the tiles of the region (MBTiles beside it in the workspace), else on its \
            trail network, else on plain ground; nothing is fetched from the network. Text can be selected. The same hike \
            gives the same bytes each time; its date is that of the hike's last change. A letter that no installed font \
            has, and a photo that is none, is told as a warning.
            """,
        parameters: [
            ExportOptions.thing.spec, out.spec, ExportOptions.units.spec, tiles.spec,
            ExportOptions.force.spec,
        ],
        input: ExportOptions.input, output: .value("exportedFile"), effect: .reads,
        examples: [
            .init(
                "a report", "$walk | export pdf --out walk.pdf", after: ExportExample.open,
                gives: "3 pages written to walk.pdf"),
            .init(
                "a file is needed", "expect-error E-EXPORT-OUT 46.5,7.9 | export pdf",
                gives: "a PDF needs a file"),
        ], searchTerms: ["report", "print", "paper", "map"])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        guard let url = try arguments[Self.out] else {
            throw ExportErrors.out("a PDF needs a file", fix: "export pdf … --out report.pdf")
        }
        let force = try arguments[ExportOptions.force]
        // Before the work is done, not after.
        try StagedFile.checkFree(url, force: force)
        let journeys = try source.journeys(try arguments[ExportOptions.thing], input, context)
        let journey = try ExportOptions.one(journeys, "pdf")
        let layers = BaseLayers(tiles: try arguments[Self.tiles], region: journey.regionID, context: context)
        context.progress.report("drawing the report", done: 0)
        let report = Report(
            journey: journey, wording: try ExportOptions.wording(arguments, context), base: layers.layer,
            check: context.checkCancelled)
        let document = try report.document()
        try context.checkCancelled()
        try OutputFile.write(document.pdf, to: url, force: force)
        return .object(
            ExportedFile(
                name: url.lastPathComponent, format: "pdf", bytes: document.pdf.count, pages: document.pages,
                warnings: document.warnings))
    }
}
