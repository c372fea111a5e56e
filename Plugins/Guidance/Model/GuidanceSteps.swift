import Geodesy
import PluginKit

// How the decisions of guidance are told. Each step is made only when someone records.

/// Steps of matching.
enum MatchSteps {
    /// A place of the line that was looked at, and what it counts by.
    static func candidate(_ match: RouteMatch, cost: Double, what: String) -> TraceStep {
        let why =
            switch what {
            case "travel": "equally near: the one that is next on the way counts"
            case "likelihood": "the logarithm of its likelihood, the best being 0"
            default: "distance, a share of the way to it, and what lying behind counts"
            }
        return TraceStep(
            "candidate",
            [
                ("segment", .integer(match.segment)), ("along", .quantity(.metres(match.along))),
                ("distance", .quantity(.metres(match.distance))),
                (what, .number((cost * 100).rounded() / 100)),
            ], why: why)
    }
}

/// Steps of the state machine.
enum GuidanceSteps {
    static func fix(_ fix: PositionFix, _ state: GuidanceState) -> TraceStep {
        TraceStep(
            "fix",
            [
                ("number", .integer(state.fixes)), ("at", .coordinate(fix.coordinate.withoutAltitude)),
                ("time", .date(fix.time)), ("accuracy", Value(fix.accuracy) { .quantity(.metres($0)) }),
                ("from", .quantity(.metres(state.along))),
            ], why: "a position has come")
    }

    static func fallback(_ near: RouteMatch, limit: Double) -> TraceStep {
        TraceStep(
            "fallback",
            [
                ("distance", .quantity(.metres(near.distance))), ("threshold", .quantity(.metres(limit))),
            ], why: "the window is off route: the whole line is searched")
    }

    static func projection(_ match: RouteMatch, leapt: Bool, on geometry: RouteGeometry) -> TraceStep {
        let place = geometry.coordinate(segment: match.segment, share: match.share)
        return TraceStep(
            "projection",
            [
                ("segment", .integer(match.segment)),
                ("share", .number((match.share * 1000).rounded() / 1000)),
                ("at", .coordinate(place.withoutAltitude)), ("along", .quantity(.metres(match.along))),
                ("distance", .quantity(.metres(match.distance))), ("leapt", .boolean(leapt)),
            ],
            why: leapt ? "another part of the line: progress begins anew there" : "the best of the candidates"
        )
    }

    static func offRoute(
        _ distance: Double, wasOffRoute: Bool, isOffRoute: Bool, _ settings: GuidanceSettings
    ) -> TraceStep {
        let threshold = wasOffRoute ? settings.clear : settings.offRoute
        let limit = Literal.quantity(.metres(threshold))
        let why =
            switch (wasOffRoute, isOffRoute) {
            case (false, false): "not more than \(limit): still on route"
            case (false, true): "more than \(limit): off route"
            case (true, false): "less than \(limit): back on route"
            case (true, true): "not less than \(limit): still off route"
            }
        return compare(
            "offRoute", distance, threshold, holds: isOffRoute,
            outcome: wasOffRoute == isOffRoute ? "kept" : "changed", why: why)
    }

    static func prompt(
        _ kind: GuidanceEvent.Kind, _ stop: GuideRoute.Stop, left: Double, threshold: Double, isDue: Bool,
        isHidden: Bool, _ settings: GuidanceSettings
    ) -> TraceStep {
        let why =
            if isHidden {
                "never given: the instruction is dropped \(metres(settings.advance)) before its point, "
                    + "and this prompt is due from \(metres(threshold)) on"
            } else if isDue {
                left <= threshold
                    ? "near enough, and not given yet" : "the point is passed: better late than never"
            } else {
                "still farther than \(metres(threshold))"
            }
        return compare(
            kind.rawValue, left, threshold, holds: isDue,
            outcome: isHidden ? "hidden" : (isDue ? "given" : "kept"), why: why, text: stop.turn.description)
    }

    static func skipped(_ stop: GuideRoute.Stop, _ state: GuidanceState) -> TraceStep {
        TraceStep(
            "skip",
            [
                ("text", .text(stop.turn.description)), ("point", .quantity(.metres(stop.along))),
                ("along", .quantity(.metres(state.along))),
            ], why: "the line was joined beyond it: its turn was not taken")
    }

    static func advanced(_ stop: GuideRoute.Stop, left: Double, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "advance", left, settings.advance, holds: true, outcome: "changed",
            why: settings.advance > 0 ? "near enough to be done with" : "its point is passed",
            text: stop.turn.description)
    }

    static func arrival(_ left: Double, isThere: Bool, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "arrived", left, settings.arrived, holds: isThere, outcome: isThere ? "changed" : "kept",
            why: isThere ? "no more is left than the arrival asks for" : "more of the route is left")
    }

    static func state(
        _ state: GuidanceState, before: RouteMatch?, wasOffRoute: Bool, of route: GuideRoute
    ) -> TraceStep {
        let change = state.along - (before?.along ?? 0)
        let next = route.stops.indices.contains(state.next) ? route.stops[state.next] : nil
        return TraceStep(
            "state",
            [
                ("progress", .quantity(.share(state.along / route.length))),
                ("along", .quantity(.metres(state.along))), ("change", .quantity(.metres(change))),
                ("next", Value(next) { .text($0.turn.description) }),
                ("toNext", Value(next) { .quantity(.metres($0.along - state.along)) }),
                ("off", .boolean(state.isOffRoute)), ("over", .boolean(state.hasArrived)),
            ],
            why: state.hasArrived
                ? "the end is reached: guidance is over"
                : (state.isOffRoute ? "off route no turns are announced" : "on route"))
    }

    private static func compare(
        _ what: String, _ value: Double, _ threshold: Double, holds: Bool, outcome: String, why: String,
        text: String? = nil
    ) -> TraceStep {
        var values: [(String, Value)] = [
            ("what", .text(what)), ("value", .quantity(.metres(value))),
            ("threshold", .quantity(.metres(threshold))), ("holds", .boolean(holds)),
            ("outcome", .text(outcome)),
        ]
        if let text { values.append(("text", .text(text))) }
        return TraceStep("compare", values, why: why)
    }

    private static func metres(_ value: Double) -> String { Literal.quantity(.metres(value)) }
}
