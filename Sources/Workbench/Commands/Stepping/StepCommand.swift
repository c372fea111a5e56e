import PluginKit

/// `step [PIPELINE]`
struct StepCommand: CommandProvider {
    let stepper: Stepper

    var name: String { "step" }

    var command: Command {
        Command(
            name, "run a pipeline and stop at its first decision",
            details: """
                `step next`, `step back` and `step to` move through the decisions, forwards and \
                backwards; `step picture` draws the state of algorithms that support it. Without a pipeline, `step` uses \
                the trace in the pipe. A pipeline that fails can be stepped through up to its failure.
                """,
            .option(
                "limit", .integer(1...100_000_000), default: String(TraceSettings.limit),
                "number of steps to keep"),
            .optional("pipeline", .pipeline, "pipeline to step through"),
            input: .optional(.rows(TraceRow.columns)), output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "an expression makes no decisions", "expect-error E-STEP-EMPTY step 1 + 1",
                    gives: "the pipeline made no decisions")
            ],
            searchTerms: [
                "explain an algorithm", "dijkstra", "to my class",
                "debug", "trace", "step through an algorithm", "single step", "walk through", "one at a time",
                "watch an algorithm", "how does dijkstra work", "a star search", "expand nodes",
            ]
        ) { input, context, limit, pipeline in
            let walk: Stepper.Walk
            if let pipeline {
                walk = try await StepRecording.walk(
                    pipeline, limit: limit, context: context)
            } else {
                let rows = try Rows(input, for: "step").collect()
                walk = RecordedSteps(rows: rows).walk
            }
            guard !walk.steps.isEmpty else { throw StepErrors.empty("the pipeline made no decisions") }
            stepper.start(walk)
            return walk.shown
        }
    }
}

/// Runs pipelines for the stepper.
enum StepRecording {
    static func walk(_ pipeline: DeferredPipeline, limit: Int, context: Context) async throws -> Stepper.Walk
    {
        let collector = TraceCollector(limit: limit)
        do {
            let value = try await pipeline.run(tracing: collector)
            try value.runThrough()
        } catch {
            let failure = Session.asRutterError(error)
            if failure.code == CommonErrors.interrupted.code || collector.collected.steps.isEmpty {
                throw error
            }
            context.log.notice("the pipeline failed with \(failure.code): \(failure.message)")
        }
        let log = collector.collected
        if log.dropped > 0 {
            context.log.notice(
                "step: \(log.dropped) steps beyond the limit were dropped; raise it with --limit")
        }
        return Stepper.Walk(text: pipeline.text, steps: log.steps) { collector.picture(at: $0) }
    }
}

/// The commands that move through a trace.
enum SteppingCommands {
    static func all(_ stepper: Stepper) -> [any CommandProvider] {
        [
            StepCommand(stepper: stepper), StepNext(stepper: stepper), StepBack(stepper: stepper),
            StepTo(stepper: stepper), StepShow(stepper: stepper),
            StepDiffer(stepper: stepper), StepPicture(stepper: stepper), StepPlay(stepper: stepper),
            StepEnd(stepper: stepper),
        ]
    }
}
