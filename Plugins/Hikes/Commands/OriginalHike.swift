import PluginKit
import TrailStores

/// `hike original`
struct OriginalHike: CommandProvider {
    var name: String { "hike original" }

    var command: Command {
        Command(
            name, "return the recording before its first edit",
            details:
                "Returns a hike, which can be drawn, measured and exported: `hike original Walk | export walk.gpx`.",
            HikeOptions.hike,
            output: .value("hike"), effect: .reads,
            examples: [
                .init(
                    "of a cropped hike", "hike original Walk | get distance",
                    after: HikeExample.setup + ["hike crop Walk --skip 50m"], gives: "111m")
            ], searchTerms: ["raw", "untouched", "before"]
        ) { _, hike in
            let recording = try hike.original()
            guard let statistics = HikeStatistics(segments: recording.segments) else { return .object(hike) }
            return .object(HikeObject(hike.hike.measured(statistics), recording: recording))
        }
    }
}

/// `hike undo-edits`
struct UndoEdits: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike undo-edits" }

    var command: Command {
        Command(
            name, "restore the recording before its first edit",
            details: "Name and comment are kept. `undo` restores the edits.",
            HikeOptions.hike,
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "of a cropped hike", "hike undo-edits Walk | get distance",
                    after: HikeExample.setup + ["hike crop Walk --skip 50m"], gives: "111m")
            ], searchTerms: ["revert", "restore", "reset"]
        ) { context, hike in
            let recording = try hike.checkedRecording()
            guard !recording.edits.isEmpty else { throw HikeEditing.unchanged(hike, "it has no edits") }
            let count = recording.edits.count
            return try HikeEditing(library: library, context: context).restore(
                hike,
                .init(
                    recording: hike.original(), summary: "\(count, of: "edit") undone"))
        }
    }
}
