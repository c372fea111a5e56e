import CivilTime
import Geodesy
import PluginKit
import TrailStores

/// `hike crop`
struct CropHike: CommandProvider {
    let library: ActiveStore<HikeStore>
    let waypoints: ActiveStore<WaypointStore>

    /// A place whose surroundings are hidden; `nil` without one.
    private struct Hidden: Sendable {
        /// `nil` stands for the start of the hike.
        let center: Coordinate?
        /// In metres.
        let radius: Double
    }

    private static let hidden = Parameter<Hidden?>.group(
        .option("outside", .namedPlace, "hide start and end near this place; default: the hike's start"),
        .option("radius", .quantity(.length, in: 1...100_000), "what is near; default: 200m")
    ) { place, radius in
        guard place != nil || radius != nil else { return nil }
        return Hidden(center: place?.coordinate, radius: radius ?? RecordingSettings.hiddenRadius)
    }

    var name: String { "hike crop" }

    var command: Command {
        Command(
            name, "keep a part of a hike by time, distance or place",
            details: """
                Keeps the points from --from through --to, without the first --skip and the last --drop metres. The \
                recording before its first edit is kept: `hike show --original` returns it, `hike restore` restores it.

                For privacy, --radius alone removes the points before the first and after the last that is farther than \
                that from the start, or with --outside from another place, the file's waypoints there, and laps, and removes \
                the links of waypoints there, so that no export of the hike has them. The recording before the edit and the \
                store still contain them: share exports, not the store.
                """,
            HikeOptions.hike,
            .option("from", .date, "first time to keep"),
            .option("to", .date, "last time to keep"),
            .option(
                "skip", .quantity(.length, in: 0...1e8), default: "0m", "distance to remove at the start"),
            .option("drop", .quantity(.length, in: 0...1e8), default: "0m", "distance to remove at the end"),
            Self.hidden,
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "without the first 50 m", "hike crop Walk --skip 50m | get change",
                    after: HikeExample.setup,
                    gives: "cropped: 1 of 2 points kept"),
                .init(
                    "where one lives", "hike crop Walk --radius 50m | get change", after: HikeExample.setup,
                    gives: "trimmed within 50m: 1 of 2 points kept"),
            ],
            searchTerms: [
                "private part", "privacy zone", "near my house", "hide my home",
                "forgot to stop the recording", "drive home", "part in the car",
                "remove my home", "anonymize", "cut off the start", "cut off the end", "delete a part", "cut",
                "trim", "part", "privacy", "home", "hide where i live", "hide home", "take the bus ride out",
                "shorten a recording", "remove the beginning", "remove the car ride", "home address",
            ]
        ) { context, hike, from, through, skip, drop, hidden in
            let recording = try hike.checkedRecording()
            let editing = HikeEditing(library: library, context: context)
            let hasRange = from != nil || through != nil || skip > 0 || drop > 0
            guard let hidden else {
                return try editing.apply(hike, cropped(hike, recording, from, through, skip, drop))
            }
            guard !hasRange else {
                throw HikeErrors.range(
                    "--outside and --radius belong to no other part", at: .parameter("radius"),
                    fix: "run `hike crop` twice: once by time or distance, once with --radius")
            }
            return try trimmed(hike, recording, hidden, context)
        }
    }

    /// The part of a recording by times and distances.
    private func cropped(
        _ hike: HikeObject, _ recording: Recording, _ from: Timestamp?, _ through: Timestamp?, _ skip: Double,
        _ drop: Double
    ) throws -> RecordingEdits.Result {
        if from != nil || through != nil, !recording.hasTimes {
            throw HikeErrors.noTimes("hike \(hike.hike.displayName) has no times", at: .parameter("hike"))
        }
        let result = RecordingEdits.crop(recording, from: from, through: through, skip: skip, drop: drop)
        guard let result else {
            throw HikeErrors.range(
                "the part has all points of \(hike.hike.displayName), or none", at: .parameter("hike"),
                fix: hike.hike.daysFix([from, through].compactMap(\.self)))
        }
        return result
    }

    /// Removes start and end near a place, and the links of the waypoints there.
    private func trimmed(_ hike: HikeObject, _ recording: Recording, _ hidden: Hidden, _ context: Context)
        throws -> Value
    {
        guard let center = hidden.center ?? recording.points.first?.coordinate else {
            throw HikeErrors.noPoints(
                "hike \(hike.hike.displayName) has no points", at: .parameter("hike"))
        }
        guard let result = RecordingEdits.trim(recording, around: center, radius: hidden.radius) else {
            throw HikeErrors.range(
                "start and end are outside the radius of \(Literal.inMessage(.metres(hidden.radius))), "
                    + "or the whole hike is inside", at: .parameter("radius"))
        }
        let record = try HikeEditing(library: library, context: context).apply(hike, result)
        let count = try unlink(hike.hike, around: center, hidden.radius, context)
        guard count > 0, case .record(var fields) = record else { return record }
        fields["waypoints"] = .text("\(count, of: "waypoint") there no longer linked to the hike")
        return .record(fields)
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
        context.journal.alsoRevert { [changed] in
            for (before, after) in changed { _ = try writable.update(after, to: before) }
        }
        return changed.count
    }
}
