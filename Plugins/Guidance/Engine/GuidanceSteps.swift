import Geodesy
import PluginKit

// Trace steps of guidance. Each is created only while recording.

/// Steps of matching.
enum MatchSteps {
    /// A candidate point of the line, and its cost.
    static func candidate(_ match: RouteMatch, cost: Double, what: String) -> TraceStep {
        let why =
            switch what {
            case "travel": "equally near: the next along the route is chosen"
            case "likelihood": "the logarithm of its likelihood; the best is 0"
            default: "distance, a share of the distance along the line, and the cost of going back"
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
    static func started(_ run: GuidanceRun) -> TraceStep {
        .start(
            [
                ("route", .text(run.route.name)), ("length", .quantity(.metres(run.route.length))),
                ("instructions", .integer(run.route.stops.count)),
                ("fixes", .integer(run.state.fixes)),
                ("from", .quantity(.metres(run.state.along))),
            ],
            why: run.state.fixes == 0
                ? "no state yet: the first fix may be anywhere along the route"
                : "the next fix is processed with the state after the last one")
    }

    static func ended(_ run: GuidanceRun) -> TraceStep {
        let state = run.state
        return .end(
            [
                ("fixes", .integer(state.fixes)), ("along", .quantity(.metres(state.along))),
                ("left", .quantity(.metres(max(0, run.route.length - state.along)))),
                ("events", .integer(run.events.count)),
            ],
            why: state.hasArrived
                ? "the end of the route is reached"
                : state.isOffRoute
                    ? "the fixes end off route" : "the fixes end before the route does")
    }

    static func fix(_ fix: PositionFix, _ state: GuidanceState) -> TraceStep {
        TraceStep(
            "fix",
            [
                ("number", .integer(state.fixes)), ("at", .coordinate(fix.coordinate.withoutAltitude)),
                ("time", .date(fix.time)), ("accuracy", Value(fix.accuracy) { .quantity(.metres($0)) }),
                ("from", .quantity(.metres(state.along))),
            ], why: "a new position")
    }

    static func setAside(_ fix: PositionFix, after last: PositionFix) -> TraceStep {
        TraceStep(
            "setAside",
            [
                ("distance", .quantity(.metres(last.coordinate.distance(to: fix.coordinate)))),
                ("after", .quantity(.seconds(fix.time.seconds(since: last.time)))),
            ],
            why:
                "nobody gets here in that time: the fix is set aside, and nothing is said until the position is clear"
        )
    }

    static func restarted(_ fix: PositionFix, after last: PositionFix) -> TraceStep {
        TraceStep(
            "restart",
            [
                ("distance", .quantity(.metres(last.coordinate.distance(to: fix.coordinate)))),
                ("after", .quantity(.seconds(fix.time.seconds(since: last.time)))),
            ],
            why:
                "nobody gets here in that time, and the first fixes may be old: guidance restarts with this one"
        )
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
            why: leapt ? "another part of the line: progress restarts there" : "the best of the candidates"
        )
    }

    static func offRoute(
        _ distance: Double, _ threshold: Double, wasOffRoute: Bool, isOffRoute: Bool
    ) -> TraceStep {
        let limit = Literal.quantity(.metres(threshold))
        let why =
            switch (wasOffRoute, isOffRoute) {
            case (false, false):
                distance > threshold
                    ? "more than \(limit), not yet for long enough" : "not more than \(limit): still on route"
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
                "never spoken: the instruction is completed \(metres(settings.advance)) before its point, "
                    + "and this prompt is due from \(metres(threshold)) on"
            } else if isDue {
                left >= 0
                    ? "near enough and not yet spoken"
                    : "the point was passed \(metres(-left)) ago: not too late"
            } else {
                "farther than \(metres(threshold))"
            }
        return compare(
            kind.rawValue, left, threshold, holds: isDue,
            outcome: isHidden ? "hidden" : (isDue ? "given" : "kept"), why: why, text: stop.turn.description)
    }

    static func skipped(
        _ stop: GuideRoute.Stop, _ state: GuidanceState,
        why: String = "the line was joined after it: the turn was not taken"
    ) -> TraceStep {
        TraceStep(
            "skip",
            [
                ("text", .text(stop.turn.description)), ("point", .quantity(.metres(stop.along))),
                ("along", .quantity(.metres(state.along))),
            ], why: why)
    }

    static func taken(_ stop: GuideRoute.Stop, _ state: GuidanceState) -> TraceStep {
        skipped(stop, state, why: "the walker goes the way after it already: there is no turn to take")
    }

    static func passed(_ stop: GuideRoute.Stop, left: Double, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "passed", -left, settings.late, holds: true, outcome: "changed",
            why: "its point was passed more than \(metres(settings.late)) ago: it is not announced any more",
            text: stop.turn.description)
    }

    static func held(_ stop: GuideRoute.Stop) -> TraceStep {
        TraceStep(
            "wait", [("text", .text(stop.turn.description))],
            why: "this fix has a prompt already: the next fix announces it")
    }

    static func jumped() -> TraceStep {
        TraceStep(
            "wait", [],
            why: "the match moved ahead by more than a walk: nothing is announced before that is sure")
    }

    static func advanced(_ stop: GuideRoute.Stop, left: Double, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "advance", left, settings.advance, holds: true, outcome: "changed",
            why: settings.advance > 0 ? "near enough to be completed" : "its point is passed",
            text: stop.turn.description)
    }

    static func arrival(_ left: Double, isThere: Bool, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "arrived", left, settings.arrived, holds: isThere, outcome: isThere ? "changed" : "kept",
            why: "the remaining distance is \(isThere ? "within" : "above") the threshold")
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
                ? "arrived: guidance is over"
                : (state.isOffRoute ? "off route no turns are announced" : "on route"))
    }

    /// The conditions before the route counts as left.
    static func waiting(
        _ offRouteStreak: GuidanceState.OffRouteStreak, seconds: Double, of needed: Double, isElsewhere: Bool
    ) -> TraceStep {
        TraceStep(
            "wait",
            [
                ("what", .text("offRoute")), ("value", .quantity(.seconds(seconds))),
                ("threshold", .quantity(.seconds(needed))), ("fixes", .integer(offRouteStreak.fixes)),
            ],
            why: isElsewhere
                ? "another part of the line is nearby: waiting for evidence of which one is walked"
                : "waiting for \(GuidanceLimits.leastOffRoute) fixes and "
                    + "\(Literal.quantity(.seconds(needed))): a single fix can be wrong")
    }

    static func wrongWay(_ back: Double, _ threshold: Double, _ settings: GuidanceSettings) -> TraceStep {
        compare(
            "wrongWay", back, threshold, holds: true, outcome: "changed",
            why: "walked back for \(Literal.quantity(.seconds(settings.wrongWayAfter))), and no part of the "
                + "route leads this way")
    }

    static func turnedRound(from furthest: Double, to along: Double) -> TraceStep {
        TraceStep(
            "turn",
            [
                ("from", .quantity(.metres(furthest))), ("along", .quantity(.metres(along))),
                ("skipped", .quantity(.metres(along - furthest))),
            ], why: "walked back, and the route leads home this way: the part in between is skipped")
    }

    /// Whether the route was walked in order, as arrival requires.
    static func order(_ progress: RouteProgress, needed: Double, before: Int, isThere: Bool) -> TraceStep {
        compare(
            "order", progress.covered, needed, holds: isThere, outcome: isThere ? "changed" : "kept",
            why: isThere
                ? "the last instruction is next, and most of the route is walked"
                : (before > 0
                    ? "\(before) instructions are not completed yet" : "too little of the route is walked"))
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
