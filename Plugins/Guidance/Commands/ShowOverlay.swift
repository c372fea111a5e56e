import PluginKit

/// `guide show`
struct ShowOverlay: CommandProvider {
    let desk: GuidanceDesk

    var command: Command {
        Command(
            "guide show",
            "shows what the watch's overlay shows: arrow, instruction, distance, progress, warning",
            details: """
                Fitted to the terminal: two or three lines below 60 columns, a box from there on. Without a pipe it is the walk \
                that is driven by hand; with a walk in the pipe it is its end.
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
            if case .nothing = input { return .object(Overlay(try desk.journey)) }
            let walk = try input.object(
                of: GuidanceWalk.self, "a walk", for: "guide show", fix: "guide simulate … | guide show")
            return .object(Overlay(walk.journey))
        }
    }
}
