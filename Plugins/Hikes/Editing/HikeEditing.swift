import Foundation
import PluginKit
import TrailStores

/// Applies undoable edits of recordings to the store, and returns what changed.
struct HikeEditing {
    let library: ActiveStore<HikeStore>
    let context: Context

    /// Replaces the recording of a hike by one that was edited; returns what changed.
    func apply(_ object: HikeObject, _ result: RecordingEdits.Result) throws -> Value {
        change(object, result, after: try applied(object, result))
    }

    /// Replaces the recording of a hike by one that was edited; returns the hike as it is now. `changed` is the hike with
    /// other values that are changed with it.
    func applied(_ object: HikeObject, _ result: RecordingEdits.Result, as changed: Hike? = nil) throws
        -> Hike
    {
        var result = result
        result.recording.edits.append(.init(result.summary, at: context.clock.now))
        return try replace(object, by: result, as: changed)
    }

    /// Replaces the recording of a hike by the one before its first edit, which has no edits.
    func restore(_ object: HikeObject, _ result: RecordingEdits.Result) throws -> Value {
        var result = result
        result.recording.edits = []
        return change(object, result, after: try replace(object, by: result))
    }

    private func replace(
        _ object: HikeObject, by result: RecordingEdits.Result, as changed: Hike? = nil
    ) throws -> Hike {
        let store = try library.writableStore(context)
        let before = object.hike
        var recording = result.recording
        // What was said of the file stays true; what was found in the points is found anew.
        let found = Set(RecordingCheck(try object.checkedRecording().line).warnings)
        recording.notices.removeAll { found.contains($0) }
        for warning in RecordingCheck(recording.line).warnings where !recording.notices.contains(warning) {
            recording.notices.append(warning)
        }
        let after = try measured(changed ?? before, recording)
        guard let rows = try store.replace(before, with: after, recording: recording) else {
            throw HikeErrors.changedSince(
                "hike \(before.displayName) was changed or deleted in the meantime", at: .parameter("hike"))
        }
        store.undo(in: context).replaced("edited \(after.title)", by: [after], rows)
        return after
    }

    private func change(_ object: HikeObject, _ result: RecordingEdits.Result, after: Hike) -> Value {
        .record(
            Record([
                ("hike", .text(after.displayName)), ("change", .text(result.summary)),
                ("points", .integer(result.recording.line.pointCount)),
                ("before", .quantity(.metres(object.hike.distance))),
                ("distance", .quantity(.metres(after.distance))),
            ]))
    }

    /// The hike with the statistics of a recording.
    func measured(_ hike: Hike, _ recording: Recording) throws -> Hike {
        guard let statistics = HikeStatistics(segments: recording.segments) else {
            // Without positions, the figures are those of the measurements.
            if var indoors = Hike(id: hike.id, name: hike.name, indoors: recording.line) {
                (indoors.calories, indoors.comment) = (hike.calories, hike.comment)
                (indoors.regionID, indoors.cloudRecordID) = (hike.regionID, hike.cloudRecordID)
                indoors.modifiedAt = context.clock.now
                return indoors
            }
            throw HikeErrors.range("no point would be left of \(hike.displayName)", at: .parameter("hike"))
        }
        var after = hike.measured(statistics)
        after.calories = recording.line.calories
        after.modifiedAt = context.clock.now
        return after
    }

    /// The error of an edit without effect.
    static func unchanged(_ object: HikeObject, _ what: String) -> RutterError {
        HikeErrors.nothingToChange("hike \(object.hike.displayName): \(what)")
    }
}
