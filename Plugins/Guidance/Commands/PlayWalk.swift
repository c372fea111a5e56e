import Foundation
import PluginKit

/// `guide play ROUTE`
struct PlayWalk: CommandProvider {
    var name: String { "guide play" }

    var command: Command {
        Command(
            name,
            "play a walk in the terminal",
            details: """
                Shows overlay, map and prompts. Plays the walk in the pipe (guide simulate … | guide play), or simulates one \
                with the same options. Keys: space pauses, → and ← step, + and - change the speed, e goes to the next event, \
                r to the start, q quits. Without a terminal it returns the overlay of the last frame. --speak speaks the \
                prompts through espeak-ng; without it, or with --out, a WAV file is written instead, in which each prompt is \
                at its time divided by --rate. Without espeak-ng, or with --signals, each prompt is a signal of its feedback: \
                a click before a turn, falling at a left turn, rising at a right one, three low tones for a warning, a chord \
                at the end.
                """,
            GuideRouteInput.parameter,
            .option("rate", .number(0.1...1000), default: "10", "speed as a multiple of real time"),
            WalkOptions.parameter, SpeechOptions.parameter,
            input: .optional(.value("walk")), output: .value("overlay"), effect: .reads,
            examples: [
                .init(
                    "without a terminal", "$line | guide play | get text", after: GuidanceExample.line,
                    gives: "You have arrived"),
                .init(
                    "the signals of a walk as a sound, at a hundred times its speed",
                    "$line | guide play --speak --signals --out walk.wav --rate 100 | select prompts voice",
                    after: GuidanceExample.line,
                    gives: """
                        prompts  6
                        voice    signals
                        """),
                .init(
                    "a file without a voice", "expect-error E-GUIDE-SPEECH guide play $line --out walk.wav",
                    after: GuidanceExample.line, gives: "--out requires --speak"),
            ],
            searchTerms: [
                "tell me when to turn",
                "announce", "talking directions", "watch the walk",
                "live", "replay", "watch", "animate", "voice", "speech", "sound", "wav", "audio",
                "follow a route", "voice navigation", "navigate", "speak directions", "spoken directions",
                "talk", "read aloud", "for blind people", "blind", "take me there", "talk to me",
                "live navigation",
            ]
        ) { input, context, route, rate, options, speech in
            let walk: GuidanceWalk
            if case .object(let object) = input, let given = object as? GuidanceWalk, route.given == nil {
                walk = given
            } else {
                walk = try await options.walk(
                    route.route(input, for: "guide play", context), context)
            }
            guard !walk.samples.isEmpty else {
                throw GuidanceErrors.simulation("the walk has no fixes to play")
            }
            if let written = try await speech.written(walk, rate: rate, context) { return .record(written) }
            return .object(try await Self.played(walk, rate, speech.program, context))
        }.deciding("guide play $line --interval 20s", after: GuidanceExample.line)
    }

    /// Plays a walk, with a voice if one is given, and returns the last overlay.
    private static func played(
        _ walk: GuidanceWalk, _ rate: Double, _ voice: SpeechProgram?, _ context: Context
    ) async throws -> Overlay {
        let folder = try FileManager.default.scratchFolder("speech")
        defer { FileManager.default.discard(folder) }
        guard let lender = context.screen, context.environment.isInteractive else {
            for event in voice == nil ? [] : walk.run.events {
                try await voice?.say(walk.words.text(event), in: folder, check: context.checkCancelled)
            }
            return Overlay(walk.run)
        }
        let environment = context.environment
        let speaker = voice.map { Speaker($0, folder: folder) }
        let played: Result<Int, any Error>
        do {
            played = .success(
                try await lender.withScreen { screen in
                    var player = WalkPlayer(walk: walk, rate: rate)
                    try await player.play(on: screen, environment, speaker: speaker)
                    return player.position
                })
        } catch {
            played = .failure(error)
        }
        await speaker?.stop()
        if let failure = await speaker?.failure {
            context.log.notice("the prompts were not spoken: \(failure)")
        }
        return Overlay(walk.run, at: try played.get())
    }
}
