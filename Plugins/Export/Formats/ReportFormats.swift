import Foundation
import Pictures
import PluginKit

/// The formats of reports: Markdown, HTML and PDF.
struct ReportFormats {
    let source: JourneySource

    var all: [ExportFormat] { [pdf, html, markdown] }

    private var markdown: ExportFormat {
        ExportFormat(
            "markdown", "Markdown report of a hike or planned route",
            details: """
                Title, time, duration, a table of distance, climb, heart rate, calories and speed \
                (distance over walking time), numbered waypoints, and the comment. Values that were not recorded read N/A. \
                Times are in the session's time zone.
                """,
            endings: ["md", "markdown"], isText: true, writesEach: true, subjects: ExportOptions.subjects,
            ExportOptions.units,
            examples: [
                .init(
                    "a report as text", "46.5,7.9,1200m | export --as markdown",
                    gives: """
                        # Places

                        - 1 place

                        ## Waypoints

                        1. 46.50000, 7.90000, 1200 m
                        """),
                .init(
                    "a report in miles", "$walk | export walk.md --units imperial | get format",
                    after: ExportExample.open, gives: "markdown"),
            ]
        ) { request, context, units in
            let export = JourneyExport(request: request, context: context, format: "markdown", ending: "md")
            return try export.write(source.journeys(request.subject, request.input, context)) { journeys, _ in
                let journey = try ExportOptions.one(journeys, "markdown")
                let text = MarkdownFormat(wording: ExportOptions.wording(units, context)).text(journey)
                return JourneyFile(Array(text.utf8), warnings: journey.warnings)
            }
        }
    }

    private var html: ExportFormat {
        ExportFormat(
            "html", "web page of a hike or planned route",
            details: """
                One file that uses no network: a map with zoom and pan, with the background of the PDF report; an elevation \
                profile that is linked to the \
                map; charts of heart rate and pace; the cue sheet of a planned route; photos; waypoints and the comment. \
                Output is reproducible. Photos carry no EXIF.
                """,
            endings: ["html", "htm"], isText: false, writesEach: true, subjects: ExportOptions.subjects,
            ExportOptions.units, ExportOptions.tiles,
            examples: [
                .init(
                    "a page", "$walk | export walk.html | get format", after: ExportExample.open,
                    gives: "html"),
                .init(
                    "a file is required", "expect-error E-EXPORT-OUT 46.5,7.9 | export --as html",
                    gives: "html requires a file"),
            ]
        ) { request, context, units, tiles in
            let export = JourneyExport(request: request, context: context, format: "html", ending: "html")
            return try export.write(source.journeys(request.subject, request.input, context)) { journeys, _ in
                let journey = try ExportOptions.one(journeys, "html")
                let layers = BaseLayers(tiles: tiles, region: journey.regionID, context: context)
                if !request.each { context.progress.report("drawing the page", done: 0) }
                let report = HTMLReport(
                    journey: journey, wording: ExportOptions.wording(units, context), base: layers.layer,
                    check: context.checkCancelled)
                let document = try report.document()
                return JourneyFile(
                    Data(document.html.utf8), photos: document.photos > 0 ? document.photos : nil,
                    warnings: document.warnings)
            }
        }
    }

    private var pdf: ExportFormat {
        ExportFormat(
            "pdf", "PDF report of hikes or planned routes",
            details: """
                A4. The first page has a map with the route and its waypoints, and the statistics; \
                the second the elevation profile and splits; then photos, and the table of waypoints with the comment. The \
                background is the region's tiles (MBTiles in the workspace), or its trail network, or blank; nothing is \
                fetched from the network. Text can be selected. Output is reproducible: its date is that of the hike's last \
                change. Missing glyphs and unreadable photos are reported as warnings. Several hikes form one report, with a \
                list and totals first: `hike list | export week.pdf`.
                """,
            endings: ["pdf"], isText: false, writesEach: true, subjects: ExportOptions.subjects,
            ExportOptions.units, ExportOptions.tiles,
            examples: [
                .init(
                    "a report", "$walk | export walk.pdf", after: ExportExample.open,
                    gives: "3 pages written to walk.pdf")
            ]
        ) { request, context, units, tiles in
            let export = JourneyExport(request: request, context: context, format: "pdf", ending: "pdf")
            return try export.write(source.journeys(request.subject, request.input, context)) { journeys, _ in
                if !request.each { context.progress.report("drawing the report", done: 0) }
                let report = Report(
                    journeys: journeys, wording: ExportOptions.wording(units, context),
                    base: { view, journey in
                        let layers = BaseLayers(tiles: tiles, region: journey.regionID, context: context)
                        return try layers.layer(for: view)
                    }, check: context.checkCancelled)
                let document = try report.document()
                return JourneyFile(document.pdf, pages: document.pages, warnings: document.warnings)
            }
        }
    }
}
