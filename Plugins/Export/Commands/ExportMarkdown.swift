import PluginKit

/// `export markdown`
struct ExportMarkdown: CommandProvider {
    let source: JourneySource

    var name: String { "export markdown" }

    var command: Command {
        Command(
            name, "write a Markdown report of a hike or planned route",
            details: """
                \(ExportOptions.inputHelp) Title, time, duration, a table of distance, climb, heart rate, calories and speed \
                (distance over walking time), numbered waypoints, and the comment. Values that were not recorded read N/A. \
                Times are in the session's time zone.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            ExportOptions.units,
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "a coordinate", "46.5,7.9,1200m | export markdown",
                    gives: """
                        # Places

                        - 1 place

                        ## Waypoints

                        1. 46.50000, 7.90000, 1200 m
                        """),
                .init(
                    "a file in miles", "$walk | export markdown --out walk.md --units imperial | get format",
                    after: ExportExample.open, gives: "markdown"),
            ], searchTerms: ["report", "md", "document"]
        ) { input, context, named, out, units, force in
            let journey = try ExportOptions.one(source.journeys(named, input, context), "markdown")
            let text = MarkdownFormat(wording: ExportOptions.wording(units, context)).text(journey)
            return try ExportOptions.finish(
                Array(text.utf8), "markdown", to: out, force: force, warnings: journey.warnings, context)
        }
    }
}
