// A decision among candidates as a trace: why it begins, each candidate with what became of it, why it ends. Whatever looks at
// one thing after the other and keeps or leaves it is recorded and drawn by this.

extension TraceStep {
    /// A candidate with the values that it was judged by, and what became of it.
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
    /// Keeps a decision among candidates, drawn as a board of them. The steps are made here, so that nothing is made where nobody
    /// records: write `context.tracing?.keep(…)`.
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
    /// The value that says what became of a candidate.
    static let outcome = "outcome"
}
