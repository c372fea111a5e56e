import CivilTime
import Foundation
import Logging
import Notebooks
import PluginKit
import Workbench

/// Reruns of a notebook's cells.
enum CellBenchmark {
    static func run(_ effort: Effort) async throws -> [Finding] {
        let cells = 10_000
        let scratch = try Scratch()
        let file = scratch.file("cells.md")
        let text = "# Cells\n\n" + String(repeating: "```rutter\nrutter> 1 + 1\n2\n```\n\n", count: cells)
        try Data(text.utf8).write(to: file)
        let factory = WorkbenchSessionFactory(log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }) {
            []
        }
        var times: [Double] = []
        for _ in 0..<effort.count(7, quick: 2) {
            var outcome = NotebookReport.Outcome.failed
            times.append(
                await Measure.seconds { outcome = await NotebookRunner(factory: factory).run(file).outcome })
            guard outcome == .passed else { throw Skip(description: "the notebook does not pass") }
        }
        let reference = try (0..<3).map { _ in
            try Measure.seconds { try SQLite.selectOneAndOne(times: cells) }
        }
        let rate = Double(cells) / Measure.median(times)
        let ratio = Measure.median(times) / Measure.median(reference)
        return [
            Finding(
                "cells: 10,000 of 1 + 1", "\(Int(rate)) a second",
                reference: "SQLite preparing and running as many selects \(Measure.times(ratio))",
                goal: ("≥ 20,000 a second", rate >= 20_000))
        ]
    }
}

/// A command with six options, parsed and bound to its declaration.
enum ParseBenchmark {
    private struct Survey: CommandProvider {
        var command: Command {
            Command(
                "survey", "a command of the benchmark", .positional("place", .coordinate, "centre"),
                .option("radius", .quantity(.length), default: "1km", "search radius"),
                .option("label", .text, default: "", "name"),
                .option("limit", .integer(1...100), default: "9", "number of results"),
                .option("kind", .choice([.init("hut"), .init("spring")]), default: "hut", "kind"),
                .option("note", .text, default: "", "longer text"),
                .option("share", .number(), default: "0", "a number"),
                output: .value("nothing"), effect: .pure, examples: []
            ) { _, _, _, _, _, _, _, _ in .nothing }
        }
    }

    private struct SurveyPlugin: Plugin {
        let name = "survey"
        let summary = "a command of the benchmark"
        let version = "1"
        var commands: [any CommandProvider] { [Survey()] }
    }

    private static let entry =
        "survey 46.5763,7.9904 --radius 2.5km --label 'Upper Hut' --limit 5 --kind spring --note text --share 0.25"

    static func run(_ effort: Effort) async throws -> [Finding] {
        let scratch = try Scratch()
        let session = try Session(
            configuration: SessionConfiguration(
                seed: 1, clock: SessionClock(standingAt: Timestamp(milliseconds: 0)), environment: .notebook,
                workspace: scratch.url, files: FileAccess(unconfinedIn: scratch.url),
                log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }), plugins: { [SurveyPlugin()] })
        guard await session.run(entry).failure == nil else { throw Skip(description: "the entry fails") }
        let rounds = effort.count(20_000, quick: 2000)
        let parsing = await Measure.seconds {
            for _ in 0..<rounds { _ = await session.syntaxError(in: entry) }
        }
        let running = await Measure.seconds { for _ in 0..<rounds { _ = await session.run(entry) } }
        let microseconds = parsing / Double(rounds) * 1e6
        return [
            Finding(
                "parse: a command with 6 options", String(format: "%.1fµs", microseconds),
                reference: String(format: "with running it %.1fµs", running / Double(rounds) * 1e6),
                goal: ("< 20µs", microseconds < 20))
        ]
    }
}
