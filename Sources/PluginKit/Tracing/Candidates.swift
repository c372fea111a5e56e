// A decision among candidates as a trace: its start, each candidate with its outcome, its end. Used to record
// and draw any algorithm that examines items one by one and keeps or rejects them.

extension TraceStep {
    /// A candidate with the values it was judged by, and its outcome.
    public static func candidate(
        _ values: [(String, Value)], _ outcome: StepBoard.Mark, why: String
    ) -> TraceStep {
        TraceStep("candidate", values + [(CandidateSteps.outcome, .text(outcome.rawValue))], why: why)
    }
}

extension BoardPicturing {
    /// The candidates so far with all of their values, as a board.
    public static func candidates(_ title: String) -> BoardPicturing {
        BoardPicturing { steps in
            var columns: [String] = []
            for step in steps where step.kind == "candidate" {
                for key in step.values.keys where key != CandidateSteps.outcome && !columns.contains(key) {
                    columns.append(key)
                }
            }
            return StepBoard(title, listing: ["candidate"], of: steps, columns: columns) { step in
                step.values[CandidateSteps.outcome].flatMap { .init(rawValue: StepBoard.text($0)) }
                    ?? .waiting
            }
        }
    }
}

extension TraceCollector {
    /// Records a decision among candidates, drawn as a board. The steps are built only when recording: write
    /// `context.tracing?.keep(…)`.
    public func keep(
        _ title: String, from start: TraceStep, candidates: some Sequence<TraceStep>, to end: TraceStep
    ) {
        var log = TraceLog(limit: limit)
        log.record(start)
        for step in candidates { log.record(step) }
        log.record(end)
        keep(log, picture: .some(BoardPicturing.candidates(title)))
    }
}

private enum CandidateSteps {
    /// The name of the value that holds a candidate's outcome.
    static let outcome = "outcome"
}
