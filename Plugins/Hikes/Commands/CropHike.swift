import Geodesy
import PluginKit
import TrailStores

/// `hike crop`
struct CropHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike crop" }

    var command: Command {
        Command(
            name, "keep a part of a hike by time or distance",
            details: """
                Keeps the points from --from through --to, without the first --skip and the last --drop metres. The \
                recording before its first edit is kept: `hike original` returns it, `hike undo-edits` restores it.
                """,
            HikeOptions.hike,
            .option("from", .date, "first time to keep"),
            .option("to", .date, "last time to keep"),
            .option(
                "skip", .quantity(.length, in: 0...1e8), default: "0m", "distance to remove at the start"),
            .option("drop", .quantity(.length, in: 0...1e8), default: "0m", "distance to remove at the end"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "without the first 50 m", "hike crop Walk --skip 50m | get change",
                    after: HikeExample.setup,
                    gives: "cropped: 1 of 2 points kept")
            ], searchTerms: ["cut", "trim", "part"]
        ) { context, hike, from, through, skip, drop in
            let recording = try hike.checkedRecording()
            if from != nil || through != nil, !recording.hasTimes {
                throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
            }
            let result = RecordingEdits.crop(recording, from: from, through: through, skip: skip, drop: drop)
            guard let result else {
                throw HikeErrors.range(
                    "the part has all points of \(hike.hike.displayName), or none", at: .parameter("hike"))
            }
            return try HikeEditing(library: library, context: context).apply(hike, result)
        }
    }
}

/// `hike trim`
struct TrimHike: CommandProvider {
    let library: ActiveStore<HikeStore>
    let waypoints: ActiveStore<WaypointStore>

    var name: String { "hike trim" }

    var command: Command {
        Command(
            name, "remove start and end near a place, for privacy",
            details: """
                Removes the points before the first and after the last point farther from --around than --radius, \
                the file's waypoints there, and laps, and removes the links of waypoints there, so that no export of the hike has \
                them. `hike original` and the store still contain them: share exports, not the store.
                """,
            HikeOptions.hike,
            .option("around", .namedPlace, "place to hide; default: the start of the hike"),
            .option("radius", .quantity(.length, in: 1...100_000), default: "200m", "distance from it"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "the start", "hike trim Walk --radius 50m | get change", after: HikeExample.setup,
                    gives: "trimmed within 50m: 1 of 2 points kept")
            ], searchTerms: ["privacy", "home", "hide", "hide where i live", "hide home"]
        ) { context, hike, place, radius in
            let recording = try hike.checkedRecording()
            guard let center = place?.coordinate ?? recording.points.first?.coordinate else {
                throw HikeErrors.noPoints(
                    "hike \(hike.hike.displayName) has no points", at: .parameter("hike"))
            }
            guard let result = RecordingEdits.trim(recording, around: center, radius: radius) else {
                throw HikeErrors.range(
                    "start and end are outside the radius of \(Literal.quantity(.metres(radius))), "
                        + "or the whole hike is inside", at: .parameter("radius"))
            }
            let record = try HikeEditing(library: library, context: context).apply(hike, result)
            let count = try unlink(hike.hike, around: center, radius, context)
            guard count > 0, case .record(var fields) = record else { return record }
            fields["waypoints"] = .text("\(count, of: "waypoint") there no longer linked to the hike")
            return .record(fields)
        }
    }

    /// Removes the links of the hike's waypoints within the radius; returns their number.
    private func unlink(_ hike: Hike, around center: Coordinate, _ radius: Double, _ context: Context) throws
        -> Int
    {
        guard let store = try waypoints.storeIfFits(context) else { return 0 }
        let near = try store.waypoints(ofHike: hike.id).filter {
            $0.coordinate.distance(to: center) <= radius
        }
        guard !near.isEmpty else { return 0 }
        let writable = try waypoints.writableStore(context)
        var changed: [(before: Waypoint, after: Waypoint)] = []
        for before in near {
            var after = before
            after.hikeID = nil
            after.modifiedAt = context.clock.now
            if try writable.update(before, to: after) { changed.append((before, after)) }
        }
        // One `undo` takes back the whole command.
        if let trimmed = context.journal.takeLast() {
            context.journal.record(trimmed.summary) { [changed] in
                try await trimmed.revert()
                for (before, after) in changed { _ = try writable.update(after, to: before) }
            }
        }
        return changed.count
    }
}
