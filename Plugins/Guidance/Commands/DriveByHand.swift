import CivilTime
import Geodesy
import PluginKit

/// `guide start ROUTE`
struct StartGuidance: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide start", "begins to walk a route by hand, one fix at a time",
            details:
                "`guide fix` takes positions, `guide show` and `guide status` tell where one is, `guide stop` ends.",
            RouteInput.parameter,
            input: .optional(.value("route")), output: .value("overlay"), effect: .reads,
            examples: [
                .init(
                    "a line of four places", "guide start $line | get text", after: Samples.line,
                    gives: "Waiting for a position on line")
            ], searchTerms: ["navigate", "begin"]
        ) { input, context, route in
            let route = try await route.route(input, for: "guide start", context)
            let journey = Journey(route, settings: desk.settings)
            try desk.begin(journey)
            return .object(Overlay(journey))
        }
    }
}

/// `guide fix PLACE`
struct FixGuidance: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide fix",
            "takes a position of the walk that is driven by hand, and tells what it brings about",
            details: "Gives the events of this fix, none when nothing happens. `step guide fix …` shows why.",
            .positional("place", .place, "where one is"),
            .option("accuracy", .quantity(.length, in: 0...100_000), "standard deviation of the fix"),
            .option("speed", .quantity(.speed, in: 0...1000), "how fast one moves"),
            .option("course", .quantity(.angle, in: 0...360), "in which direction one moves"),
            .option("time", .date, "when; otherwise the session's clock"),
            .option(
                "after", .quantity(.duration, in: 0...1e9),
                "so long after the last fix; a clock that stands moves on with it"),
            output: .rows(EventRow.columns), effect: .pure,
            examples: [
                .init(
                    "near the first turn", "guide fix 47.0028,9 | select event text",
                    after: Samples.line + ["guide start $line"],
                    gives: """
                        event        text
                        approaching  In 20 metres, turn right
                        atTurn       Turn right
                        """),
                .init(
                    "a walk must have begun", "expect-error E-GUIDE-IDLE guide fix 47,9",
                    gives: "no route is being walked"),
            ], searchTerms: ["position", "gps"]
        ) { context, place, accuracy, speed, course, time, after in
            var journey = try desk.journey
            let time = try Self.time(time, after, last: journey.state.last?.time, context)
            let fix = PositionFix(
                place, time: time, accuracy: accuracy, speed: speed,
                course: course)
            let before = journey.events.count
            if let tracing = context.tracing {
                var log = TraceLog(limit: tracing.limit)
                journey.take(WalkFix(fix: fix), trace: &log)
                tracing.keep(log, picture: GuidancePicturing(line: journey.route.geometry.points))
            } else {
                var none = NoTrace()
                journey.take(WalkFix(fix: fix), trace: &none)
            }
            desk.keep(journey)
            if let after { context.clock.advance(bySeconds: after) }
            let walk = GuidanceWalk(journey: journey, words: SpokenText(context.environment.units))
            return .table(columns: EventRow.columns, rows: walk.rows(journey.events[before...]))
        }
    }

    private static func time(
        _ given: Timestamp?, _ after: Double?, last: Timestamp?, _ context: Context
    ) throws -> Timestamp {
        if let after {
            guard given == nil else {
                throw GuidanceErrors.time("--time and --after exclude each other", at: .parameter("after"))
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

/// `guide status`
struct GuidanceStatus: CommandProvider {
    let desk: GuidanceDesk
    private static let fields = [
        "route", "state", "progress", "along", "remaining", "time", "next", "toNext", "fromRoute", "fixes",
    ]

    var command: Command {
        Command(
            "guide status", "tells where the walk that is driven by hand stands",
            output: .value("record"), effect: .pure,
            examples: [
                .init(
                    "after a fix", "guide status | select state progress toNext",
                    after: Samples.line + ["guide start $line", "guide fix 47.0015,9"],
                    gives: """
                        state     onRoute
                        progress  17.2%
                        toNext    167m
                        """)
            ]
        ) { _ in
            let journey = try desk.journey
            let (route, state) = (journey.route, journey.state)
            let left = max(0, route.length - state.along)
            let next = route.stops.indices.contains(state.next) ? route.stops[state.next] : nil
            let word =
                state.hasArrived
                ? "arrived" : (state.match == nil ? "waiting" : (state.isOffRoute ? "offRoute" : "onRoute"))
            return .record(
                Record(
                    keys: Self.fields,
                    values: [
                        .text(route.name), .text(word), .quantity(.share(state.along / route.length)),
                        .quantity(.metres(state.along)), .quantity(.metres(left)),
                        .quantity(.seconds(route.duration * left / route.length)),
                        Value(next) { .text($0.turn.description) },
                        Value(next) { .quantity(.metres(max(0, $0.along - state.along))) },
                        Value(state.match) { .quantity(.metres($0.distance)) }, .integer(state.fixes),
                    ]))
        }
    }
}

/// `guide stop`
struct StopGuidance: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide stop", "ends the walk that is driven by hand, and gives it",
            output: .rows(EventRow.columns), effect: .pure,
            examples: [
                .init(
                    "what was said", "guide stop | each event",
                    after: Samples.line + ["guide start $line", "guide fix 47.0025,9"], gives: "approaching")
            ], searchTerms: ["end"]
        ) { context in
            .object(GuidanceWalk(journey: try desk.end(), words: SpokenText(context.environment.units)))
        }
    }
}

/// `guide reroute`
struct RerouteGuidance: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide reroute", "plans a new route from the last fix of the walk that is driven by hand",
            details: """
                Back to the route for a bare line such as a GPX file, else anew to the destination; `guide set reroute rejoin` or \
                `destination` chooses. Needs the plugin Routing and a region around the place.
                """,
            output: .rows(EventRow.columns), effect: .reads,
            examples: [
                .init(
                    "a walk must have begun", "expect-error E-GUIDE-IDLE guide reroute",
                    gives: "no route is being walked")
            ], searchTerms: ["recalculate", "off route"]
        ) { context in
            var journey = try desk.journey
            guard let last = journey.state.last else {
                throw GuidanceErrors.routing(
                    "there is no fix to plan a route from", fix: "guide fix PLACE")
            }
            guard let rerouting = try Rerouting(journey.route, journey.settings, context) else {
                throw GuidanceErrors.routing("rerouting is off", fix: "guide set reroute automatic")
            }
            guard
                let route = try await rerouting.route(
                    from: last.coordinate.withoutAltitude, journey, context)
            else { throw GuidanceErrors.routing("the new route has no length: one is there already") }
            let before = journey.events.count
            journey.follow(route)
            desk.keep(journey)
            let walk = GuidanceWalk(journey: journey, words: SpokenText(context.environment.units))
            return .table(columns: EventRow.columns, rows: walk.rows(journey.events[before...]))
        }
    }
}
