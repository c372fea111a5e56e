import Formats
import Foundation
import PluginKit
import TrailStores

/// `waypoint export`
struct ExportWaypoints: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint export" }

    var command: Command {
        Command(
            name, "write waypoints as GPX 1.1",
            details: "Writes the waypoints from the pipe, or else all of the store, oldest first.",
            .option("out", .outputFile, "GPX file to write; default: return the text"),
            .flag("force", "overwrite an existing file"),
            input: .optional(.rows(WaypointObject.columns)), output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "to a file", "waypoint export --out w.gpx", after: ["waypoint add 46.5,7.9 --label Hut"],
                    gives: "1 waypoint written to w.gpx"),
                .init("only some", "waypoint list | where category == shelter | waypoint export"),
            ], searchTerms: ["gpx", "save"]
        ) { input, context, out, force in
            let waypoints = try waypoints(input, context)
            var document = GPXDocument()
            document.waypoints = try waypoints.map {
                try context.checkCancelled()
                return GPXWaypoints.point($0)
            }
            let text = try GPXWriter.text(document) { written in
                try context.checkCancelled()
                context.progress.report("writing waypoints", done: written, of: waypoints.count)
            }
            guard let out else { return .text(text) }
            try OutputFile.write(Data(text.utf8), to: out, force: force)
            return .text(
                "\(waypoints.count, of: "waypoint") written to \(out.lastPathComponent)"
            )
        }
    }

    private func waypoints(_ input: Value, _ context: Context) throws -> [Waypoint] {
        if case .nothing = input { return try library.store(context).all().reversed() }
        return try input.objects(
            of: WaypointObject.self, "waypoints", for: spec.name,
            fix: "pipe whole rows of `waypoint list`; `select` turns them into plain records"
        ).map(\.waypoint)
    }
}
