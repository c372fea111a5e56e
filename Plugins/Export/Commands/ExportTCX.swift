import Formats
import PluginKit

/// `export tcx`
struct ExportTCX: CommandProvider {
    let source: JourneySource

    var name: String { "export tcx" }

    var command: Command {
        Command(
            name, "write recorded hikes as TCX activities",
            details: """
                \(ExportOptions.inputHelp) An activity for each hike, with laps, a track for each segment, heart rate, \
                cadence, power, speed and distance. Data that TCX cannot represent are listed as warnings.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "to a file", "$walk | export tcx --out walk.tcx | get format", after: ExportExample.open,
                    gives: "tcx")
            ], searchTerms: ["garmin", "training", "activity"]
        ) { input, context, named, out, force in
            let journeys = try ExportOptions.placed(source.journeys(named, input, context))
            let bytes = try TCXWriter.bytes(ExportOptions.timed(journeys)) { written in
                try context.checkCancelled()
                context.progress.report("writing points", done: written)
            }
            return try ExportOptions.finish(
                bytes, "tcx", to: out, force: force, warnings: ExportOptions.notices(journeys, .tcx), context)
        }
    }
}
