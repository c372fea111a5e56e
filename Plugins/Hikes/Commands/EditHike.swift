import Foundation
import PluginKit
import TrailStores

/// `hike edit`
struct EditHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike edit" }

    var command: Command {
        Command(
            name, "change the name, comment or activity of a hike",
            details: """
                The activity is part of the recording, and exports write it: hiking, walking, running, cycling, or any other word. \
                What is not done on foot is said to move, not to walk. `hike restore` brings the recorded one back; one \
                `undo` takes back the whole change.
                """,
            HikeOptions.hike,
            .option("name", .text, "new name"),
            .option("comment", .text, "new comment; '' removes it"),
            .option("activity", .text, "new activity; '' removes it"),
            output: .value("hike"), effect: .changes,
            examples: [
                .init(
                    "a name", "hike edit Walk --name 'Morning walk' | get name", after: HikeExample.setup,
                    gives: "Morning walk"),
                .init(
                    "a ride", "hike edit Walk --activity cycling --comment Icy | get activity",
                    after: HikeExample.setup, gives: "cycling"),
            ],
            searchTerms: [
                "title of a recording", "rename a walk", "name of a hike", "notes", "wrong activity",
                "rename a hike", "note", "sport", "type", "ride", "bike", "run", "change a hike",
                "add a comment", "wrong activity type", "title of a hike",
            ]
        ) { context, hike, name, comment, activity in
            if let name, !name.contains(where: { !$0.isWhitespace }) {
                throw HikeErrors.emptyName("the name is empty", at: .parameter("name"))
            }
            var after = hike.hike
            if let name { after.name = name }
            if let comment { after.comment = comment }
            let ride = try activity.flatMap { try recording(of: hike, activity: $0) }
            let isRow = !after.isStored(as: hike.hike)
            guard isRow || ride != nil else {
                throw HikeErrors.nothingToChange(
                    "no option differs from what hike \(hike.hike.displayName) has",
                    fix: "hike edit HIKE --name TEXT")
            }
            // Row and recording are one change: written together or not at all, and undone together.
            if let ride {
                after = try HikeEditing(library: library, context: context).applied(hike, ride, as: after)
            } else {
                after = try written(hike.hike, after, context)
            }
            let store = try library.writableStore(context)
            return .object(HikeObject(after, in: store))
        }
    }

    /// Writes name and comment.
    private func written(_ before: Hike, _ changed: Hike, _ context: Context) throws -> Hike {
        let store = try library.writableStore(context)
        var after = changed
        after.modifiedAt = context.clock.now
        guard try store.update(before, to: after) else {
            throw HikeErrors.changedSince(
                "hike \(before.displayName) was changed or deleted in the meantime", at: .parameter("hike"))
        }
        store.undo(in: context).edited(before) { [after] in try store.update(after, to: before) }
        return after
    }

    /// The recording under another activity; `nil` if it has that one already.
    private func recording(of hike: HikeObject, activity text: String) throws -> RecordingEdits.Result? {
        var recording = try hike.checkedRecording()
        let before = recording.line.type
        let activity = text.lowercased().trimmingCharacters(in: .whitespacesAndNewlines)
        recording.line.type = activity.isEmpty ? nil : activity
        guard recording.line.type != before else { return nil }
        // The points stay, so the energy stays, which only the app's row may have.
        recording.line.calories = recording.line.calories ?? hike.hike.calories
        return .init(
            recording: recording,
            summary: "activity \(recording.line.type ?? "unknown"), before \(before ?? "unknown")")
    }
}
