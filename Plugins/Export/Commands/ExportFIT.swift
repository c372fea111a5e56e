import Formats
import PluginKit

/// `export fit`
struct ExportFIT: CommandProvider {
    let source: JourneySource

    var name: String { "export fit" }

    var command: Command {
        Command(
            name, "write a recorded hike as a FIT activity",
            details: """
                \(ExportOptions.inputHelp) Records with position, elevation, heart rate, cadence, power, temperature, speed, \
                accuracy and distance; events of the timer between segments; laps, session and activity. Elevations are \
                rounded to 0.2m and times to a second. Data that FIT cannot represent are listed as warnings.
                """,
            ExportOptions.subject,
            .option("out", .outputFile, "FIT file to write"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("exportedFile"), effect: .reads,
            examples: [
                .init(
                    "an activity", "$walk | export fit --out walk.fit | get bytes", after: ExportExample.open,
                    gives: "333"),
                .init(
                    "times are required",
                    "expect-error E-EXPORT-TIMES [46.5,7.9 46.6,7.9] | export fit --out x.fit",
                    gives: "the recording has no times"),
            ], searchTerms: ["garmin", "activity", "watch"]
        ) { input, context, named, out, force in
            guard let url = out else {
                throw ExportErrors.out(
                    "a FIT file is binary and requires a file", fix: "export fit … --out walk.fit")
            }
            let journey = try ExportOptions.one(
                ExportOptions.placed(source.journeys(named, input, context)), "fit")
            let bytes = try FITWriter.bytes(ExportOptions.onlyTimed(journey)) { written in
                try context.checkCancelled()
                context.progress.report("writing points", done: written)
            }
            return try ExportOptions.finish(
                bytes, "fit", to: url, force: force, warnings: ExportOptions.notices([journey], .fit), context
            )
        }
    }
}
