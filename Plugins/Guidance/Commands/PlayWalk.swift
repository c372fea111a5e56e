import PluginKit

/// `guide play ROUTE`
struct PlayWalk: CommandProvider {
    let session: GuidanceSession

    var command: Command {
        Command(
            "guide play",
            "play a walk in the terminal",
            details: """
                Shows overlay, map and prompts. Plays the walk in the pipe (guide simulate … | guide play), or simulates one \
                with the same options. Keys: space pauses, → and ← step, + and - change the speed, e goes to the next event, \
                r to the start, q quits. Without a terminal it returns the overlay of the last frame.
                """,
            RouteInput.parameter,
            .option("rate", .number(0.1...1000), default: "10", "speed as a multiple of real time"),
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
                    route.route(input, for: "guide play", context), session: session, context)
            }
            guard !walk.samples.isEmpty else {
                throw GuidanceErrors.simulation("the walk has no fixes to play")
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
