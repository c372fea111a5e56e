import Foundation
import PluginKit
import TrailStores

/// `waypoint photo`
struct WaypointPhotoCommand: LegacyCommand {
    let library: ActiveStore<WaypointStore>

    private static let out = Parameter.option("out", .outputFile, "the JPEG file to write")
    private static let thumbnail = Parameter.flag("thumbnail", "the thumbnail instead of the photo")
    private static let force = Parameter.flag("force", "overwrite an existing file")

    let spec = CommandSpec(
        "waypoint photo", "writes a waypoint's photo to a file, or tells its size",
        parameters: [WaypointOptions.waypoint.spec, out.spec, thumbnail.spec, force.spec],
        output: .value("text, or a record"), effect: .reads,
        examples: [
            .init(
                "none is stored", "expect-error E-WAYPOINT-NOPHOTO waypoint photo Hut",
                after: ["waypoint add 46.5,7.9 --label Hut"], gives: "waypoint Hut has no photo")
        ])

    func run(_ arguments: Arguments, input: Value, context: Context) async throws -> Value {
        let waypoint = try arguments[WaypointOptions.waypoint].waypoint
        let stored = try library.store(context).photo(of: waypoint.id)
        let wantsThumbnail = try arguments[Self.thumbnail]
        guard let data = wantsThumbnail ? stored.thumbnail : stored.photo else {
            throw WaypointErrors.noPhoto(
                "waypoint \(waypoint.name) has no \(wantsThumbnail ? "thumbnail" : "photo")",
                at: .parameter("waypoint"))
        }
        guard let url = try arguments[Self.out] else {
            return .record(
                Record([
                    ("photo", .integer(stored.photo?.count ?? 0)),
                    ("thumbnail", .integer(stored.thumbnail?.count ?? 0)),
                ]))
        }
        try OutputFile.write(data, to: url, force: try arguments[Self.force])
        return .text("\(data.count) bytes written to \(url.lastPathComponent)")
    }
}
