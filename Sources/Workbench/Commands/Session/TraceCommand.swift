import PluginKit

/// `trace PIPELINE`
struct TraceCommand: CommandProvider {
    var command: Command {
        Command(
            "trace", "runs a pipeline and gives the decisions its algorithms made",
            details: """
                Each step is a row: its number, its kind, the values decided on, and why. All that is left of the line is \
                recorded, and the values have their names there too; to go on with the trace, give it a name: let t = trace …; $t | where kind == settle. \
                Options stand before the pipeline.
                """,
            .option(
                "limit", .integer(1...100_000_000), default: String(TraceSettings.limit),
                "steps that are kept"),
            .positional("pipeline", .pipeline, "what to record"),
            output: .rows(TraceRow.columns), effect: .pure,
            examples: [.init("nothing to decide here", "let t = trace 1 + 1; $t | count", gives: "0")]
        ) { _, limit, pipeline in
            let collector = TraceCollector(limit: limit)
            let value = try await pipeline.run(tracing: collector)
            try value.runThrough()
            let log = collector.collected
            let cut = Cut(missing: log.dropped, "the limit of a trace was reached; raise it with --limit")
            return .rows(Rows(TraceRow.rows(log.steps), columns: TraceRow.columns, cut: cut))
        }
    }
}
