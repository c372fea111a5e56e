import PluginKit

/// `guide show`
struct ShowOverlay: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide show" }

    var command: Command {
        Command(
            name,
            "show the watch overlay",
            details: """
                Arrow, instruction, distance, progress and off-route warning, fitted to the terminal: two or three lines below \
                60 columns, else a box. Until fixes away from the line are confirmed as off route, the position is shown as unclear. Shows the last fix of the walk in the pipe, or of the current walk; --elapsed chooses \
                another time. `guide show | map --out watch.svg` (or .png) draws the face of the watch.
                """,
            .option(
                "elapsed", .quantity(.duration, in: 0...1e9),
                "time since the start of the walk; default: its last fix"),
            input: .optional(.value("walk")), output: .value("overlay"), effect: .pure,
            examples: [
                .init(
                    "near the first turn", "guide show",
                    after: GuidanceSamples.line + ["guide start $line", "guide fix 47.0025,9"],
                    gives: """
                        ╭────────────────────────────────────────────────────────────────────────────╮
                        │ →  56m                                                                     │
                        │ Turn right                                                                 │
                        │ ████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  28%  693m  9min │
                        ╰────────────────────────────────────────────────────────────────────────────╯
                        """),
                .init(
                    "the face of the watch two minutes into a walk",
                    "$line | guide simulate | guide show --elapsed 2min | map --out watch.svg",
                    after: GuidanceSamples.line, gives: "map written to watch.svg"),
            ], searchTerms: ["overlay", "watch", "arrow", "face", "picture"]
        ) { input, _, elapsed in
            let journey =
                if case .nothing = input {
                    try session.journey
                } else {
                    try input.object(
                        of: GuidanceWalk.self, "a walk", for: "guide show",
                        fix: "guide simulate … | guide show"
                    ).journey
                }
            return .object(Self.overlay(journey, elapsed))
        }
    }

    /// The overlay at the last fix, or at the last one up to a time in seconds since the first.
    private static func overlay(_ journey: GuidedJourney, _ elapsed: Double?) -> Overlay {
        guard let elapsed, let start = journey.samples.first?.walk.fix.time else { return Overlay(journey) }
        let later = journey.samples.firstIndex { $0.walk.fix.time.seconds(since: start) > elapsed }
        return Overlay(journey, at: max(0, (later ?? journey.samples.count) - 1))
    }
}
