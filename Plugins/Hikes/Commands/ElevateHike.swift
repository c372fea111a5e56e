import Foundation
import PluginKit
import TrailStores

/// `hike elevation`
struct ElevateHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    /// Where elevations come from.
    private enum Source: String, CaseIterable { case dem, recording }

    var name: String { "hike elevation" }

    var command: Command {
        Command(
            name, "replace or repair the elevations of a hike",
            details: """
                --from dem uses the region's elevation tiles at each point, or with --file those of a file or folder, bilinear \
                between samples. Where they have no data, \
                the elevation becomes unknown; with --missing, recorded elevations are kept and only unknown ones are looked up. \
                The edit states the model and its data source. Barometers \
                measure climbs better than a terrain model, receivers without a barometer worse. --from recording fills gaps \
                (dropouts, removed spikes) of at most --gap along the way between the elevations beside them; with --closed, \
                whose start and end are one place, it spreads their difference over the time, as a barometer drifts with the \
                weather. The edit states gain and loss before and after; `hike restore` restores the recorded values.
                """,
            HikeOptions.hike,
            .option(
                "from", .choice(of: Source.self), default: "dem", "terrain model, or the recording itself"),
            .flag("missing", "keep recorded elevations"),
            .option(
                "file", .inputPath,
                "elevation tile (.hgt, .hgt.zip, .tif) or folder of them, without a region"),
            .option(
                "gap", .quantity(.length, in: 0...100_000),
                "longest way that is filled; default: 500m"),
            .flag("closed", "start and end are one place: take the drift out"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "no region", "expect-error E-HIKE-TERRAIN hike elevation Walk",
                    after: HikeExample.setup,
                    gives: "no terrain model covers Walk"),
                .init(
                    "nothing to repair", "expect-error E-HIKE-NOCHANGE hike elevation Walk --from recording",
                    after: HikeExample.setup,
                    gives: "hike Walk: no elevation would change"),
            ],
            searchTerms: [
                "correct the heights", "altitude of a recording",
                "wrong elevation", "correct heights", "missing elevation", "no altitude",
                "dem", "srtm", "altitude", "height", "correct", "fix heights", "drift", "repair", "hgt",
                "barometer", "height is wrong", "smooth the heights", "elevation is missing",
                "elevation from a terrain model", "heights jump", "ups and downs that are wrong",
            ]
        ) { context, hike, from, missing, file, gap, closed in
            if from == .recording, missing || file != nil {
                throw HikeErrors.terrain(
                    "--missing and --file belong to a terrain model", at: .parameter("from"),
                    fix: "omit --from recording, or these options")
            }
            if from == .dem, closed {
                throw HikeErrors.terrain(
                    "--closed repairs the elevations of the recording itself", at: .parameter("closed"),
                    fix: "add --from recording")
            }
            if from == .dem, gap != nil {
                throw HikeErrors.terrain(
                    "--gap fills the elevations of the recording itself", at: .parameter("gap"),
                    fix: "add --from recording, or omit --gap")
            }
            let recording = try hike.checkedRecording()
            let result =
                from == .recording
                ? try repaired(
                    hike, recording, gap: gap ?? RecordingEdits.Repair.longestGap, isClosed: closed)
                : try elevated(hike, recording, missing, file, context)
            guard let result else { throw HikeEditing.unchanged(hike, "no elevation would change") }
            return try HikeEditing(library: library, context: context).apply(
                hike, RecordingEdits.withClimb(result, before: recording))
        }
    }

    private func repaired(_ hike: HikeObject, _ recording: Recording, gap: Double, isClosed: Bool) throws
        -> RecordingEdits.Result?
    {
        guard isClosed else { return RecordingEdits.filled(recording, longest: gap) }
        if let words = RecordingEdits.openEnds(of: recording) {
            throw HikeErrors.terrain(
                "hike \(hike.hike.displayName) is not closed: \(words)", at: .parameter("closed"),
                fix: "omit --closed")
        }
        return RecordingEdits.withoutDrift(recording, longest: gap)
    }

    private func elevated(
        _ hike: HikeObject, _ recording: Recording, _ missing: Bool, _ file: URL?, _ context: Context
    ) throws -> RecordingEdits.Result? {
        let places = recording.points.map(\.coordinate.withoutAltitude)
        let answers = try context.all((any TerrainHeights).self).compactMap { model in
            if let file { return try model.heights(at: places, file: file, context: context) }
            return try model.heights(at: places, context: context)
        }
        guard let answer = answers.first else {
            let name = hike.hike.displayName
            guard let file else {
                throw HikeErrors.terrain(
                    "no terrain model covers \(name)", at: .parameter("hike"),
                    fix:
                        "name elevation tiles: hike elevation \(Literal.text(name)) --file TILES, "
                        + "or import the region with its tiles: region import FILE --elevation FILE")
            }
            throw HikeErrors.terrain(
                "\(file.lastPathComponent) has no elevation where \(name) is", at: .parameter("file"),
                fix: "use the tile of its degree, such as N46E010.hgt")
        }
        return RecordingEdits.elevated(recording, by: answer, onlyMissing: missing)
    }
}
