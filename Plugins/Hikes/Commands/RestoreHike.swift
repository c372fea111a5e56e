import PluginKit
import TrailStores

/// `hike restore`
struct RestoreHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike restore" }

    var command: Command {
        Command(
            name, "restore the recording before its first edit",
            details:
                "Name and comment are kept. `undo` brings the edits back; `hike show --original` only shows it.",
            HikeOptions.hike,
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "of a cropped hike", "hike restore Walk | get distance",
                    after: HikeExample.setup + ["hike crop Walk --skip 50m"], gives: "111m")
            ],
            searchTerms: [
                "bring back a deleted hike", "get a hike back", "revert", "undo edits", "reset", "raw",
                "untouched",
            ]
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
