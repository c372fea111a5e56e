import Foundation
import PluginKit
import TrailStores

/// `hike activity`
struct SetActivity: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike activity" }

    var command: Command {
        Command(
            name, "set or remove the activity of a hike",
            details: """
                The activity is part of the recording, and exports write it: hiking, walking, running, cycling, or any other word. \
                What is not done on foot is said to move, not to walk. `hike undo-edits` brings the recorded one back.
                """,
            HikeOptions.hike,
            .positional("activity", .text, "activity; '' removes it"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "a ride", "hike activity Walk cycling | get change",
                    after: HikeExample.setup, gives: "activity cycling, before unknown")
            ], searchTerms: ["sport", "type", "ride", "bike", "run"]
        ) { context, hike, text in
            var recording = try hike.checkedRecording()
            let before = recording.line.type
            let activity = text.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
            recording.line.type = activity.isEmpty ? nil : activity
            guard recording.line.type != before else {
                throw HikeEditing.unchanged(hike, "its activity is \(before ?? "unknown") already")
            }
            // The points stay, so the energy stays, which only the app's row may have.
            recording.line.calories = recording.line.calories ?? hike.hike.calories
            return try HikeEditing(library: library, context: context).apply(
                hike,
                RecordingEdits.Result(
                    recording: recording,
                    summary: "activity \(recording.line.type ?? "unknown"), before \(before ?? "unknown")"))
        }
    }
}
