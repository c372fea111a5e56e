import PluginKit

/// `trace PIPELINE`
struct TraceCommand: LegacyCommand {
    private static let limit = Parameter.option(
        "limit", .integer(1...100_000_000), default: String(TraceSettings.limit), "steps that are kept")
    private static let pipeline = Parameter.positional("pipeline", .pipeline, "what to record")

    let spec = CommandSpec(
        "trace", "runs a pipeline and gives the decisions its algorithms made",
        details: """
            Each step is a row: its number, its kind, the values decided on, and why. All that is left of the line is \
            recorded, and the values have their names there too; to go on with the trace, give it a name: let t = trace …; $t | where kind == settle. \
            Options stand before the pipeline.
            """,
        parameters: [limit.spec, pipeline.spec], output: .rows(TraceRow.columns), effect: .pure,
        examples: [.init("nothing to decide here", "let t = trace 1 + 1; $t | count", gives: "0")])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let collector = TraceCollector(limit: try arguments[Self.limit])
        let value = try await arguments[Self.pipeline].run(tracing: collector)
        try value.runThrough()
        let log = collector.collected
        let cut = Cut(missing: log.dropped, "the limit of a trace was reached; raise it with --limit")
        return .rows(Rows(TraceRow.rows(log.steps), columns: TraceRow.columns, cut: cut))
    }
}
