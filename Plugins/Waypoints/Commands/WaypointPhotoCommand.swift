import Foundation
import Photos
import Pictures
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
            output: .value("photo, or text"), effect: .reads,
            examples: [
                .init(
                    "no photo", "expect-error E-WAYPOINT-NOPHOTO waypoint photo Hut",
                    after: ["waypoint add 46.5,7.9 --label Hut"], gives: "waypoint Hut has no photo")
            ], searchTerms: ["picture", "image"]
        ) { context, waypoint, out, thumbnail, force in
            let waypoint = waypoint.waypoint
            let stored = try library.store(context).photo(of: waypoint.id)
            guard let data = thumbnail ? stored.thumbnail : stored.photo else {
                throw WaypointErrors.noPhoto(
                    "waypoint \(waypoint.name) has no \(thumbnail ? "thumbnail" : "photo")",
                    at: .parameter("waypoint"))
            }
            guard let out else {
                return .object(
                    StoredPhoto(
                        photo: stored.photo?.count ?? 0, thumbnail: stored.thumbnail?.count ?? 0, data: data))
            }
            try OutputFile.write(data, to: out, force: force)
            return .text("\(data.count) bytes written to \(out.lastPathComponent)")
        }
    }
}

/// A photo of a store.
struct StoredPhoto: ImageRepresentable {
    /// Bytes of the photo and of its thumbnail; 0 if missing.
    let photo, thumbnail: Int
    /// The requested one of the two.
    let data: Data

    var typeName: String { "photo" }
    var fieldNames: [String] { ["photo", "thumbnail"] }

    func field(_ name: String) -> Value? {
        switch name {
        case "photo": .integer(photo)
        case "thumbnail": .integer(thumbnail)
        default: nil
        }
    }

    var summary: String { "photo of \(photo) bytes" }

    /// The format requires a JPEG; another program may have written something else.
    func imageFile() throws -> ImageFile? {
        switch PhotoKind(sniffing: data.prefix(16)) {
        case .jpeg?: ImageFile(.jpeg, data)
        case .png?: ImageFile(.png, data)
        case .heic?: ImageFile(.jpeg, try Photos.uprightJPEG(data))
        case nil: nil
        }
    }
}
