import PluginKit

/// `guide show`
struct ShowOverlay: CommandProvider {
    let session: GuidanceSession

    var command: Command {
        Command(
            "guide show",
            "show the watch overlay",
            details: """
                Arrow, instruction, distance, progress and off-route warning, fitted to the terminal: two or three lines below \
                60 columns, else a box. Shows the last fix of the walk in the pipe, or of the current walk.
                """,
            input: .optional(.value("walk")), output: .value("overlay"), effect: .pure,
            examples: [
                .init(
                    "near the first turn", "guide show",
                    after: Samples.line + ["guide start $line", "guide fix 47.0025,9"],
                    gives: """
                        ╭────────────────────────────────────────────────────────────────────────────╮
                        │ →  56m                                                                     │
                        │ Turn right                                                                 │
                        │ ████████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  28%  693m  9min │
                        ╰────────────────────────────────────────────────────────────────────────────╯
                        """)
            ], searchTerms: ["overlay", "watch", "arrow"]
        ) { input, _ in
            if case .nothing = input { return .object(Overlay(try session.journey)) }
            let walk = try input.object(
                of: GuidanceWalk.self, "a walk", for: "guide show", fix: "guide simulate … | guide show")
            return .object(Overlay(walk.journey))
        }
    }
}
