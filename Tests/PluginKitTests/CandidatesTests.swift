import PluginKit
import Testing

/// A decision among candidates as a trace, and its picture.
@Suite struct CandidatesTests {
    private func collector(limit: Int = 100) -> TraceCollector {
        let collector = TraceCollector(limit: limit)
        collector.keep(
            "huts", from: .start(why: "the nearest is taken"),
            candidates: [
                .candidate([("name", .text("A")), ("away", .integer(3))], .refused, why: "B is nearer"),
                .candidate([("name", .text("B")), ("open", .boolean(true))], .best, why: "the nearest"),
            ], to: .end([("taken", .text("B"))], why: "all are compared"))
        return collector
    }

    private func board(_ collector: TraceCollector, _ step: Int) throws -> StepBoard {
        try #require(collector.picture(at: step) as? StepBoard)
    }

    @Test func stepsBeginAndEnd() {
        let steps = collector().collected.steps
        #expect(steps.map(\.kind) == ["start", "candidate", "candidate", "end"])
        #expect(steps.map(\.why).allSatisfy { !$0.isEmpty })
        if case .text(let outcome)? = steps[2].values["outcome"] { #expect(outcome == "best") }
    }

    @Test func theBoardHasTheValuesOfAllCandidatesSoFar() throws {
        let collector = collector()
        #expect(try board(collector, 0).rows.isEmpty)
        #expect(try board(collector, 1).columns == ["name", "away"])
        #expect(try board(collector, 1).rows.map(\.mark) == [.present])
        let last = try board(collector, 3)
        #expect(last.columns == ["name", "away", "open"])
        #expect(last.rows.map(\.cells) == [["A", "3", ""], ["B", "", "yes"]])
        #expect(last.rows.map(\.mark) == [.refused, .best])
        #expect(last.caption == "all are compared")
    }

    @Test func whatIsBeyondTheLimitIsCounted() {
        let log = collector(limit: 3).collected
        #expect(log.steps.count == 3 && log.dropped == 1)
    }
}
