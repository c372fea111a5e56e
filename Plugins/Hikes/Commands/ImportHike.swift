import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// `hike import`
struct ImportHike: CommandProvider {
    let library: ActiveStore<HikeStore>
    let waypoints: ActiveStore<WaypointStore>

    var name: String { "hike import" }

    var command: Command {
        Command(
            name, "import recordings from GPX, FIT, TCX, KML, GeoJSON",
            details: """
                Files, folders and ZIP archives; the format is recognised by content. Each track becomes one hike with \
                its segments, sensors, laps and activity at full precision. Returns one row per file: what was imported, \
                dropped, repaired, and warnings of jumps, times that run backwards and impossible elevations. The waypoints \
                of a file with one track are added and linked to the hike, as are waypoints of the store created during it, \
                at most 1km from the box of its track, without a hike. A file or walk already in the store is \
                not added twice. An unreadable file is listed as failed while others are imported; an interrupted \
                import adds nothing. Statistics: \(HikeStatistics.Settings.description).
                """,
            .rest("files", .inputPath, "files, folders, or ZIP archives"),
            .option("name", .text, "name of the hike; default: the track's, or the file's"),
            .option("number", .integer(1...100_000), "import only this track, counted from 1"),
            .flag("again", "also add hikes already in the store"),
            .flag("no-waypoints", "skip the waypoints of the files"),
            output: .rows(FileImportReport.columns), effect: .changes,
            examples: [
                .init(
                    "two points, a minute apart", "hike import walk.gpx | get distance",
                    after: [HikeExample.save], gives: "111m"),
                .init(
                    "the same file again", "hike import walk.gpx | get result", after: HikeExample.setup,
                    gives: "duplicate of Walk"),
            ], searchTerms: ["gpx", "fit", "tcx", "garmin", "track", "load"]
        ) { context, urls, name, number, again, noWaypoints in
            guard !urls.isEmpty else {
                throw HikeErrors.format("missing file", fix: "hike import walk.gpx")
            }
            var run = HikeImporter(
                store: try library.writableStore(context), waypoints: noWaypoints ? nil : waypoints,
                name: name,
                number: number, isRepeating: again, context: context)
            let accounts = try await run.add(urls)
            guard !accounts.isEmpty else {
                throw HikeErrors.format("no file with recordings", at: .parameter("files"))
            }
            return .table(objects: accounts, columns: FileImportReport.columns)
        }.deciding("hike import walk.gpx", after: HikeExample.setup)
    }
}

/// A GPX file created by the examples of these commands.
enum HikeExample {
    static let save =
        "'<gpx><trk><name>Walk</name><trkseg><trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele>"
        + "<time>2026-02-06T08:00:00Z</time></trkpt><trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele>"
        + "<time>2026-02-06T08:01:30Z</time></trkpt></trkseg></trk></gpx>' | save walk.gpx"
    static let setup = [save, "hike import walk.gpx"]

    /// A walk with one distant point, and a lost minute before the last point.
    static let spike = [
        "'<gpx><trk><name>Spike</name><type>hiking</type><trkseg>"
            + [
                ("46.5", "08:00:00"), ("46.5005", "08:00:45"), ("46.9", "08:01:00"), ("46.501", "08:01:30"),
                ("46.502", "08:05:00"),
            ].map {
                "<trkpt lat=\"\($0)\" lon=\"7.9\"><time>2026-02-06T\($1)Z</time></trkpt>"
            }.joined()
            + "</trkseg></trk></gpx>' | save spike.gpx",
        "hike import spike.gpx",
    ]
}
