import CivilTime
import Geodesy
import PluginKit

/// `guide start ROUTE`
struct StartGuidance: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide start" }

    var command: Command {
        Command(
            name, "start guidance along a route, one fix at a time",
            details:
                "`guide fix` adds a position, `guide show` shows the state, `guide stop` ends it.",
            GuideRouteInput.parameter,
            input: .optional(.value("route")), output: .value("overlay"), effect: .reads,
            examples: [
                .init(
                    "a line of four coordinates", "guide start $line | get text", after: GuidanceExample.line,
                    gives: "Waiting for a position on line")
            ],
            searchTerms: [
                "start navigating", "begin navigation",
                "start navigation", "lead me", "navigate", "begin", "follow a route", "navigation",
                "directions", "turn by turn", "begin navigating", "take me home",
            ]
        ) { input, context, route in
            let route = try await route.route(input, for: "guide start", context)
            let run = GuidanceRun(route, settings: GuidanceSettings(context.settings))
            try session.begin(run)
            return .object(Overlay(run))
        }
    }
}

/// `guide fix PLACE`
struct FixGuidance: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide fix" }

    var command: Command {
        Command(
            name,
            "add a position to the current walk, return its events",
            details: "Most fixes cause no event. `step guide fix …` shows each decision.",
            .positional("place", .coordinate, "measured position"),
            .option("accuracy", .quantity(.length, in: 0...100_000), "standard deviation of the fix"),
            .option("speed", .quantity(.speed, in: 0...1000), "speed of movement"),
            .option("course", .quantity(.angle, in: 0...360), "direction of movement"),
            .option("at", .date, "time of the fix; default: the session's clock"),
            .option(
                "after", .quantity(.duration, in: 0...1e9),
                "time since the last fix; a fixed clock advances with it"),
            output: .rows(EventRow.columns), effect: .pure,
            examples: [
                .init(
                    "near the first turn", "guide fix 47.0028,9 | select event text",
                    after: GuidanceExample.line + ["guide start $line"],
                    gives: """
                        event   text
                        atTurn  Turn right
                        """),
                .init(
                    "guidance must be started first", "expect-error E-GUIDE-IDLE guide fix 47,9",
                    gives: "guidance is not running"),
            ], searchTerms: ["one position by hand", "single position", "position", "gps"]
        ) { context, place, accuracy, speed, course, time, after in
            var run = try session.run
            let time = try Self.time(time, after, last: run.state.last?.time, context)
            let fix = PositionFix(
                place, time: time, accuracy: accuracy, speed: speed,
                course: course)
            let before = run.events.count
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                log.record(GuidanceSteps.started(run))
                run.take(WalkFix(fix: fix), trace: &log)
                log.record(GuidanceSteps.ended(run))
                tracing.keep(log, picture: GuidancePicturing(line: run.route.geometry.points))
            } else {
                var none = NoTrace()
                run.take(WalkFix(fix: fix), trace: &none)
            }
            session.keep(run)
            if let after { context.clock.advance(bySeconds: after) }
            let walk = GuidanceWalk(run: run, words: SpokenText(context.environment.units))
            return .table(columns: EventRow.columns, rows: walk.rows(run.events[before...]))
        }.deciding("guide fix 47.0028,9", after: GuidanceExample.line + ["guide start $line"])
    }

    private static func time(
        _ given: Timestamp?, _ after: Double?, last: Timestamp?, _ context: Context
    ) throws -> Timestamp {
        if let after {
            guard given == nil else {
                throw GuidanceErrors.time("--at and --after cannot be combined", at: .parameter("after"))
            }
            return (last ?? context.clock.now).advanced(bySeconds: after)
        }
        let time = given ?? context.clock.now
        if let last, time < last {
            throw GuidanceErrors.time(
                "the fix is \(Literal.duration(last.seconds(since: time))) older than the last one",
                fix: "guide fix … --after 5s")
        }
        return time
    }
}

/// `guide stop`
struct StopGuidance: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide stop" }

    var command: Command {
        Command(
            name, "end the current walk and return it",
            output: .rows(EventRow.columns), effect: .pure,
            examples: [
                .init(
                    "the events so far", "guide stop | each event",
                    after: GuidanceExample.line + ["guide start $line", "guide fix 47.0025,9"],
                    gives: "approaching")
            ], searchTerms: ["end"]
        ) { context in
            .object(GuidanceWalk(run: try session.end(), words: SpokenText(context.environment.units)))
        }
    }
}

/// `guide reroute`
struct RerouteGuidance: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide reroute" }

    var command: Command {
        Command(
            name, "plan a new route from the last fix",
            details: """
                A bare line, such as a GPX file, is rejoined; otherwise the new route leads to the destination. `set \
                guidance.reroute rejoin` or `destination` chooses. Requires the Routing plugin and a region around the position.
                """,
            output: .rows(EventRow.columns), effect: .reads,
            examples: [
                .init(
                    "guidance must be started first", "expect-error E-GUIDE-IDLE guide reroute",
                    gives: "guidance is not running")
            ],
            searchTerms: [
                "left the path", "new way", "wrong turn", "i am lost", "recalculate", "off route",
                "missed a turn", "wrong way", "left the route",
            ]
        ) { context in
            var run = try session.run
            guard let last = run.state.last else {
                throw GuidanceErrors.routing(
                    "there is no fix to plan a route from", fix: "guide fix PLACE")
            }
            guard let rerouting = try Rerouting(run.route, run.settings, context) else {
                throw GuidanceErrors.routing("rerouting is off", fix: "set guidance.reroute automatic")
            }
            let place = last.coordinate.withoutAltitude
            var steps: [TraceStep] = []
            defer {
                context.tracing?.keep(
                    "routes from the last fix", from: RerouteSteps.started(run, place),
                    candidates: steps, to: RerouteSteps.ended(run))
            }
            guard
                let route = try await rerouting.route(
                    from: place, run, context.untraced,
                    watch: context.tracing.map { _ in { steps.append($0) } })
            else { throw GuidanceErrors.routing("the new route has no length: the position is at its end") }
            let before = run.events.count
            run.follow(route)
            session.keep(run)
            let walk = GuidanceWalk(run: run, words: SpokenText(context.environment.units))
            return .table(columns: EventRow.columns, rows: walk.rows(run.events[before...]))
        }.deciding("guide reroute", after: Self.lost)
    }

    /// A walk along two streets that leaves the first one at a side street.
    private static let lost = [
        """
        let p = region sketch streets '
        A-----B-----C
        |     |     |
        D-----E-----F
        ' --column 50m --way ABC --way DEF --way AD --way BE --way CF
        """,
        "route plan $p.A $p.F | guide start | get text", "guide fix $p.B",
        "guide fix destination($p.B, 90deg, 100m)",
    ]
}
