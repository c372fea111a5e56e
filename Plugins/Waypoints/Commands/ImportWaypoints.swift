import Formats
import Foundation
import PluginKit
import TrailStores

/// `waypoint import`
struct ImportWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint import" }

    var command: Command {
        Command(
            name, "add the waypoints of a GPX file",
            details: """
                Reads `wpt` elements of GPX 1.0 and 1.1: ele, time, name, desc (or cmt), type and sym become altitude, time, \
                label, note and category. Waypoints without a time get the session's. All are added, or none.
                """,
            .positional("file", .inputFile, "GPX file"),
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "waypoint import w.gpx",
                    after: ["waypoint add 46.5,7.9 --label Hut", "waypoint list | reverse | save w.gpx"],
                    gives: "added 1 waypoint from w.gpx")
            ], searchTerms: ["gpx", "load"]
        ) { context, file in
            let store = try library.writableStore(context)
            let now = context.clock.now
            let nextID = try store.freshIDs(context.random.uuid)
            let points = try TrackFile(file, check: context.checkCancelled) { points in
                context.progress.report("reading points", done: points)
            }.document.waypoints
            let waypoints = try points.map { point in
                var waypoint = GPXWaypoints.waypoint(point, id: try nextID(), now: now)
                waypoint.modifiedAt = now
                return waypoint
            }
            var next = waypoints.makeIterator()
            try store.insertAll({ next.next() }) { done in
                try context.checkCancelled()
                context.progress.report("storing waypoints", done: done, of: waypoints.count)
            }
            if !waypoints.isEmpty { WaypointUndo.recordAdding(waypoints, to: store, in: context.journal) }
            let count = waypoints.count
            return .text("added \(count, of: "waypoint") from \(file.lastPathComponent)")
        }
    }
}
