import PluginKit
import TrailStores

/// `hike elevation`
struct ElevateHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    private enum Source: String, CaseIterable { case dem }

    var name: String { "hike elevation" }

    var command: Command {
        Command(
            name, "replace elevations by those of a terrain model",
            details: """
                Uses the region's elevation tiles at each point, bilinear between samples. Where they have no data, \
                the elevation becomes unknown; with --missing, recorded elevations are kept and only unknown ones are looked up. \
                The edit states the region and its data source; `hike undo-edits` restores the recorded values. Barometers \
                measure climbs better than a terrain model, receivers without a barometer worse.
                """,
            HikeOptions.hike,
            .option("from", .choice(of: Source.self), default: "dem", "terrain model: that of the region"),
            .flag("missing", "keep recorded elevations"),
            output: .value("record"), effect: .changes,
            examples: [
                .init(
                    "no region", "expect-error E-HIKE-TERRAIN hike elevation Walk",
                    after: HikeExample.setup,
                    gives: "no terrain model covers Walk")
            ], searchTerms: ["dem", "srtm", "altitude", "height", "correct", "fix heights"]
        ) { context, hike, _, missing in
            let recording = try hike.checkedRecording()
            let places = recording.points.map(\.coordinate.withoutAltitude)
            let answers = try context.all((any TerrainHeights).self).compactMap {
                try $0.heights(at: places, context: context)
            }
            guard let answer = answers.first else {
                throw HikeErrors.terrain(
                    "no terrain model covers \(hike.hike.displayName)", at: .parameter("hike"),
                    fix: "import the region with its tiles: region import FILE --elevation FILE")
            }
            guard let result = RecordingEdits.elevated(recording, by: answer, onlyMissing: missing) else {
                throw HikeEditing.unchanged(hike, "no elevation would change")
            }
            return try HikeEditing(library: library, context: context).apply(hike, result)
        }
    }
}
