import PluginKit

/// `guide show`
struct ShowOverlay: CommandProvider {
    let session: GuidanceSession

    var name: String { "guide show" }

    var command: Command {
        Command(
            name,
            "show the watch overlay and the state of guidance",
            details: """
                Arrow, instruction, distance, progress and off-route warning, fitted to the terminal: two or three lines below \
                60 columns, else a box. Until fixes away from the line are confirmed as off route, the position is shown as unclear. Shows the last fix of the walk in the pipe, or of the current walk; --elapsed chooses \
                another time. Its fields also have the state (waiting, onRoute, unclear, offRoute, arrived), the distance along \
                the route, the next instruction and the number of fixes. `guide show | map --out watch.svg` (or .png) draws the face of the watch.
                """,
            .option(
                "elapsed", .quantity(.duration, in: 0...1e9),
                "time since the start of the walk; default: its last fix"),
            input: .optional(.value("walk")), output: .value("overlay"), effect: .pure,
            examples: [
                .init(
                    "near the first turn", "guide show",
                    after: GuidanceExample.line + ["guide start $line", "guide fix 47.0025,9"],
                    gives: """
                        ╭────────────────────────────────────────────────────────────────────────────╮
                        │ →  56m                                                                     │
                        │ Turn right                                                                 │
                        │ ████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  28%  693m  9min │
                        ╰────────────────────────────────────────────────────────────────────────────╯
                        """),
                .init(
                    "the state after a fix", "guide show | select state progress toNext",
                    after: GuidanceExample.line + ["guide start $line", "guide fix 47.0015,9"],
                    gives: """
                        state     onRoute
                        progress  17.2%
                        toNext    167m
                        """),
                .init(
                    "the face of the watch two minutes into a walk",
                    "$line | guide simulate | guide show --elapsed 2min | map --out watch.svg",
                    after: GuidanceExample.line, gives: "map written to watch.svg"),
            ],
            searchTerms: [
                "thought I was lost", "off route",
                "status", "state", "overlay", "watch", "arrow", "face", "picture", "what the watch shows",
                "distance to the next turn",
            ]
        ) { input, _, elapsed in
            let run =
                if case .nothing = input {
                    try session.run
                } else {
                    try input.object(
                        of: GuidanceWalk.self, "a walk", for: "guide show",
                        fix: "guide simulate … | guide show"
                    ).run
                }
            return .object(Self.overlay(run, elapsed))
        }
    }

    /// The overlay at the last fix, or at the last one up to a time in seconds since the first.
    private static func overlay(_ run: GuidanceRun, _ elapsed: Double?) -> Overlay {
        guard let elapsed, let start = run.samples.first?.walk.fix.time else { return Overlay(run) }
        let later = run.samples.firstIndex { $0.walk.fix.time.seconds(since: start) > elapsed }
        return Overlay(run, at: max(0, (later ?? run.samples.count) - 1))
    }
}
