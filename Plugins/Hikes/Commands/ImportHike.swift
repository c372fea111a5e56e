import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// `hike import`
struct ImportHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var command: Command {
        Command(
            "hike import", "import the tracks of a GPX file as hikes",
            details: """
                Each track becomes one hike. \(HikeStatistics.Settings.description). Where a track has no times, the hike \
                begins and ends at the session's time. Waypoints made during a hike, at most 1km from the box of its track, that belong to no hike are \
                linked to it. \
                All tracks are added, or none.
                """,
            .positional("file", .inputFile, "GPX file"),
            .option("name", .text, "name of the hike; default: the track's, else the file's"),
            .option("number", .integer(1...100_000), "import only this track, counted from 1"),
            output: .rows(HikeObject.columns), effect: .changes,
            examples: [
                .init(
                    "two points, a minute apart", "hike import walk.gpx | get distance",
                    after: [HikeExample.save], gives: "111m")
            ], searchTerms: ["gpx", "track", "load"]
        ) { context, file, name, number in
            let store = try library.writableStore(context)
            let tracks = try tracks(file, number, context)
            var added: [(hike: Hike, points: [TrackPoint])] = []
            var timed: [(hike: Hike, box: BoundingBox)] = []
            for (index, track) in tracks.enumerated() {
                let segments = track.segments.map { $0.map(Self.trackPoint) }
                try context.checkCancelled()
                guard let statistics = HikeStatistics(segments: segments) else { continue }
                let stem = file.deletingPathExtension().lastPathComponent
                let fallback = tracks.count > 1 ? "\(stem) \(index + 1)" : stem
                let name = name ?? track.name ?? fallback
                var hike = Hike(
                    id: try store.freshID(context.random.uuid), name: name, statistics: statistics,
                    now: context.clock.now)
                hike.modifiedAt = context.clock.now
                added.append((hike, Array(segments.joined())))
                if statistics.startTime != nil,
                    let box = HikeSurroundings.box(around: segments.joined().lazy.map(\.coordinate))
                {
                    timed.append((hike, box))
                }
                context.progress.report("importing tracks", done: index + 1, of: tracks.count)
            }
            guard !added.isEmpty else {
                throw HikeErrors.noTrack(
                    "\(file.lastPathComponent) has no track with points", at: .parameter("file"))
            }
            try context.checkCancelled()
            try store.insertAll(added)
            let links = try await linkWaypoints(
                to: timed, orRemove: added.map(\.hike), from: store, context)
            HikeUndo.recordAdding(added.map(\.hike), links, to: store, in: context.journal)
            return .table(objects: added.map { HikeObject($0.hike, in: store) }, columns: HikeObject.columns)
        }
    }

    /// Links the waypoints made during the hikes; on failure, removes the links and the hikes.
    private func linkWaypoints(
        to hikes: [(hike: Hike, box: BoundingBox)], orRemove added: [Hike], from store: HikeStore,
        _ context: Context
    ) async throws -> [LinkedWaypoints] {
        var links: [LinkedWaypoints] = []
        do {
            for linking in context.all((any WaypointLinking).self) {
                for (hike, box) in hikes {
                    links.append(
                        try await linking.link(
                            toHike: hike.id, from: hike.startTime, through: hike.endTime, within: box,
                            context: context))
                }
            }
            try context.checkCancelled()
        } catch {
            let made = links
            // In a separate task: this one may be cancelled, and could then remove nothing.
            try await Task {
                for link in made { try link.unlink() }
                _ = try store.remove(added)
            }.value
            throw error
        }
        return links
    }

    private func tracks(_ url: URL, _ number: Int?, _ context: Context) throws -> [GPXLine] {
        let document = try GPXReader.document(url, check: context.checkCancelled) { points in
            context.progress.report("reading points", done: points)
        }
        guard let number else { return document.tracks }
        guard document.tracks.indices.contains(number - 1) else {
            throw HikeErrors.noSuchTrack(
                "\(url.lastPathComponent) has \(document.tracks.count) tracks", at: .parameter("number"))
        }
        return [document.tracks[number - 1]]
    }

    private static func trackPoint(_ point: GPXPoint) -> TrackPoint {
        TrackPoint(coordinate: point.coordinate, time: point.time, heartRate: point.heartRate)
    }
}

/// A GPX file that the examples of these commands write first.
enum HikeExample {
    static let save =
        "'<gpx><trk><name>Walk</name><trkseg><trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele>"
        + "<time>2026-02-06T08:00:00Z</time></trkpt><trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele>"
        + "<time>2026-02-06T08:01:30Z</time></trkpt></trkseg></trk></gpx>' | save walk.gpx"
    static let setup = [save, "hike import walk.gpx"]
}
