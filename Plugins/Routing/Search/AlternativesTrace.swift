import Geodesy
import PluginKit

/// The steps of the search for alternatives.
enum AlternativesTrace {
    /// The outcome for a route that was found.
    enum Verdict: String {
        case kept, tooDear, tooAlike
    }

    static func start(count: Int) -> TraceStep {
        TraceStep(
            "start",
            [
                ("count", .integer(count)), ("attempts", .integer(count * AlternativeSettings.attempts)),
                ("penalty", .number(AlternativeSettings.penalty)),
                ("stretch", .number(AlternativeSettings.stretch)),
                ("sharing", .number(AlternativeSettings.sharing)),
            ],
            why: """
                the best route is searched first; then the costs of each found route's ways are multiplied by the penalty, so \
                that the next search avoids them
                """)
    }

    static func best(_ path: GraphPath) -> TraceStep {
        TraceStep("best", facts(path), why: "the cheapest route; the others are compared with it")
    }

    /// An attempt: the route, its overlap with the most similar kept route, and the outcome.
    static func attempt(
        _ number: Int, _ path: GraphPath, best: GraphPath, share: Double, _ verdict: Verdict
    ) -> TraceStep {
        let stretch = best.cost > 0 ? path.cost / best.cost : 1
        let why =
            switch verdict {
            case .kept: "it costs little more than the best and overlaps little with the kept routes"
            case .tooDear: "it costs more than \(AlternativeSettings.stretch) times the best"
            case .tooAlike:
                "more than \(Int((AlternativeSettings.sharing * 100).rounded())) % of it lies on a kept route"
            }
        return TraceStep(
            "attempt",
            [("attempt", .integer(number))] + facts(path) + [
                ("stretch", rounded(stretch, 1000)), ("shared", rounded(share, 1000)),
                ("outcome", .text(verdict.rawValue)),
            ], why: why)
    }

    static func end(found: Int, wanted: Int) -> TraceStep {
        TraceStep(
            "end", [("found", .integer(found))],
            why: found >= wanted
                ? "the requested number is found"
                : "the maximum number of attempts is reached: there may be no other")
    }

    private static func facts(_ path: GraphPath) -> [(String, Value)] {
        [
            ("cost", rounded(path.cost, 10)),
            ("distance", .quantity(.metres((path.distance * 10).rounded() / 10))),
            ("line", .list(path.coordinates.map { .coordinate($0.withoutAltitude) })),
        ]
    }

    private static func rounded(_ number: Double, _ scale: Double) -> Value {
        .number((number * scale).rounded() / scale)
    }
}
