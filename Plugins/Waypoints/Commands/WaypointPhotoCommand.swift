import Foundation
import PluginKit
import TrailStores

/// `waypoint photo`
struct WaypointPhotoCommand: CommandProvider {
    let library: ActiveStore<WaypointStore>

    var name: String { "waypoint photo" }

    var command: Command {
        Command(
            name, "write a waypoint's photo to a file, or show its size",
            WaypointOptions.waypoint,
            .option("out", .outputFile, "JPEG file to write"),
            .flag("thumbnail", "thumbnail instead of the photo"),
            .flag("force", "overwrite an existing file"),
            output: .value("text, or a record"), effect: .reads,
            examples: [
                .init(
                    "none is stored", "expect-error E-WAYPOINT-NOPHOTO waypoint photo Hut",
                    after: ["waypoint add 46.5,7.9 --label Hut"], gives: "waypoint Hut has no photo")
            ]
        ) { context, waypoint, out, thumbnail, force in
            let waypoint = waypoint.waypoint
            let stored = try library.store(context).photo(of: waypoint.id)
            guard let data = thumbnail ? stored.thumbnail : stored.photo else {
                throw WaypointErrors.noPhoto(
                    "waypoint \(waypoint.name) has no \(thumbnail ? "thumbnail" : "photo")",
                    at: .parameter("waypoint"))
            }
            guard let out else {
                return .record(
                    Record([
                        ("photo", .integer(stored.photo?.count ?? 0)),
                        ("thumbnail", .integer(stored.thumbnail?.count ?? 0)),
                    ]))
            }
            try OutputFile.write(data, to: out, force: force)
            return .text("\(data.count) bytes written to \(out.lastPathComponent)")
        }
    }
}
