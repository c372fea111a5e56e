import PluginKit

/// `trace PIPELINE`
struct TraceCommand: CommandProvider {
    var name: String { "trace" }

    var command: Command {
        Command(
            name, "run a pipeline and list its algorithms' decisions",
            details: """
                Each step is a row: its number, kind, values and reason. The rest of the line is recorded; to process the \
                trace, store it: let t = trace …; $t | where kind == settle. Values are fields of a step, too. Options \
                come before the pipeline.
                """,
            .option(
                "limit", .integer(1...100_000_000), default: String(TraceSettings.limit),
                "number of steps to keep"),
            .positional("pipeline", .pipeline, "pipeline to record"),
            output: .rows(TraceRow.columns), effect: .pure,
            examples: [
                .init("an expression makes no decisions", "let t = trace 1 + 1; $t | count", gives: "0")
            ],
            searchTerms: [
                "visualise", "visualize", "visualise an algorithm", "step through an algorithm", "debug",
                "how does it decide", "see each step", "expanded nodes", "open set", "frontier", "heuristic",
            ]
        ) { _, limit, pipeline in
            let collector = TraceCollector(limit: limit)
            let value = try await pipeline.run(tracing: collector)
            try value.runThrough()
            let log = collector.collected
            let cut = Cut(missing: log.dropped, "the limit of a trace was reached; raise it with --limit")
            let origin = TraceOrigin(text: pipeline.text, collector: collector)
            return .rows(Rows(TraceRow.rows(log.steps, origin: origin), columns: TraceRow.columns, cut: cut))
        }
    }
}
