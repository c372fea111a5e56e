import PluginKit

/// The trace of an import: the hikes a recording is compared with, and why it is added or not.
enum ImportSteps {
    /// The files and the hikes they are compared with.
    static let picture = BoardPicturing { steps in
        StepBoard(
            "recordings and existing hikes", listing: ["file", "compare", "add"], of: steps,
            columns: ["file", "hike", "start", "distance", "outcome"]
        ) { step in
            switch step.values["outcome"].map(StepBoard.text) {
            case "added": .kept
            case "same file", "same walk": .refused
            default: .waiting
            }
        }
    }

    static func started(isRepeating: Bool) -> TraceStep {
        .start(
            [("again", .boolean(isRepeating))],
            why: isRepeating
                ? "everything is added, including hikes that already exist"
                : "a file imported before, or a walk already recorded by another device, is not added twice"
        )
    }

    static func file(_ name: String, _ format: String) -> TraceStep {
        TraceStep(
            "file", [("file", .text(name)), ("format", .text(format)), ("outcome", .text("new"))],
            why:
                "no hike was imported from these bytes: its tracks are compared with the existing hikes"
        )
    }

    static func sameFile(_ name: String, _ hike: Hike) -> TraceStep {
        TraceStep(
            "file",
            [("file", .text(name)), ("hike", .text(hike.displayName)), ("outcome", .text("same file"))],
            why: "the hike was imported from the same bytes (SHA-256)")
    }

    static func apart(_ hike: Hike, _ statistics: HikeStatistics) -> TraceStep {
        compared(
            hike, "apart",
            why: statistics.startTime == nil
                ? "without times only a hike of the same length can be the same"
                : hike.areTimesKnown
                    ? "they do not overlap in time" : "the hike has no times to compare")
    }

    static func compared(_ hike: Hike, isSame: Bool, hasTimes: Bool) -> TraceStep {
        compared(
            hike, isSame ? "same walk" : "other walk",
            why: hasTimes
                ? "at \(DuplicateSettings.comparedMoments + 1) times that both have, they are "
                    + (isSame ? "" : "not ")
                    + "within \(Int(DuplicateSettings.sameWalk)) m at \(Int(DuplicateSettings.sameShare * 100)) % of them"
                : isSame ? "both have the same points" : "their points differ")
    }

    private static func compared(_ hike: Hike, _ outcome: String, why: String) -> TraceStep {
        TraceStep(
            "compare",
            [
                ("hike", .text(hike.displayName)),
                ("start", hike.areTimesKnown ? .date(hike.startTime) : .nothing),
                ("distance", .quantity(.metres(hike.distance))), ("outcome", .text(outcome)),
            ], why: why)
    }

    static func added(_ file: String, _ hike: Hike) -> TraceStep {
        TraceStep(
            "add",
            [
                ("file", .text(file)), ("hike", .text(hike.displayName)),
                ("start", hike.areTimesKnown ? .date(hike.startTime) : .nothing),
                ("distance", .quantity(.metres(hike.distance))), ("outcome", .text("added")),
            ], why: "no hike of the store is the same walk")
    }

    static func ended(_ files: Int, added: Int) -> TraceStep {
        .end(
            [("files", .integer(files)), ("hikes", .integer(added))],
            why: added == 0 ? "nothing is new" : "all files are processed; new hikes are in the store")
    }
}
