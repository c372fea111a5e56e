import PluginKit

/// `guide play ROUTE`
struct PlayWalk: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide play",
            "plays a walk in the terminal: overlay, map and prompts, with pause, step and speed",
            details: """
                Plays a walk that comes in the pipe (guide simulate … | guide play), else simulates one by the same options. \
                Keys: space pauses, → and ← step, + and - change the speed, e goes to the next event, r to the start, q ends. \
                Where there is no terminal it shows the last frame's overlay.
                """,
            RouteInput.parameter,
            .option("rate", .number(0.1...1000), default: "10", "how many times faster than real time"),
            WalkOptions.parameter,
            input: .optional(.value("walk")), output: .value("overlay"), effect: .reads,
            examples: [
                .init(
                    "without a terminal", "$line | guide play | get text", after: Samples.line,
                    gives: "You have arrived")
            ], searchTerms: ["live", "replay", "watch", "animate"]
        ) { input, context, route, rate, options in
            let walk: GuidanceWalk
            if case .object(let object) = input, let given = object as? GuidanceWalk, route.given == nil {
                walk = given
            } else {
                walk = try await options.walk(
                    route.route(input, for: "guide play", context), desk: desk, context)
            }
            guard !walk.samples.isEmpty else {
                throw GuidanceErrors.simulation("the walk has no fixes to be played")
            }
            guard let lender = context.screen, context.environment.isInteractive else {
                return .object(Overlay(walk.journey))
            }
            let environment = context.environment
            let last = try await lender.withScreen { screen in
                var player = Player(walk: walk, rate: rate)
                try await player.play(on: screen, environment)
                return player.position
            }
            return .object(Overlay(walk.samples[last], on: walk.journey.routes[walk.samples[last].leg]))
        }
    }
}
