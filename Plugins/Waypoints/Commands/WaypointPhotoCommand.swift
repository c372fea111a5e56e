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
            details:
                "Where only the thumbnail is stored, as on a watch, it stands for the photo, and the result says so.",
            WaypointOptions.waypoint,
            .option("out", .outputFile, "JPEG file to write"),
            .flag("thumbnail", "thumbnail instead of the photo"),
            .flag("force", "overwrite an existing file"),
            output: .value("photo, or text"), effect: .reads,
            examples: [
                .init(
                    "no photo", "expect-error E-WAYPOINT-NOPHOTO waypoint photo Hut",
                    after: ["waypoint add 46.5,7.9 --label Hut"], gives: "waypoint Hut has no photo")
            ], searchTerms: ["picture", "image", "picture of a pin", "export the picture"]
        ) { context, waypoint, out, thumbnail, force in
            let waypoint = waypoint.waypoint
            let stored = try library.store(context).photo(of: waypoint.id)
            // A watch keeps the thumbnail alone.
            let isReplaced = !thumbnail && stored.photo == nil && stored.thumbnail != nil
            guard let data = thumbnail ? stored.thumbnail : stored.photo ?? stored.thumbnail else {
                throw WaypointErrors.noPhoto(
                    "waypoint \(waypoint.name) has no \(thumbnail ? "thumbnail" : "photo")",
                    at: .parameter("waypoint"))
            }
            guard let out else {
                return .object(
                    StoredPhoto(
                        photo: stored.photo?.count ?? 0, thumbnail: stored.thumbnail?.count ?? 0, data: data,
                        isReplaced: isReplaced))
            }
            try OutputFile.write(data, to: out, force: force)
            let note = isReplaced ? "; \(StoredPhoto.replaced)" : ""
            return .text("\(data.count) bytes written to \(out.lastPathComponent)\(note)")
        }
    }
}

/// A photo of a store.
struct StoredPhoto: FieldedObject, ImageRepresentable {
    /// Bytes of the photo and of its thumbnail; 0 if missing.
    let photo, thumbnail: Int
    /// The requested one of the two.
    let data: Data
    /// Whether the thumbnail stands for a photo that is not on this device.
    let isReplaced: Bool

    /// Said where the thumbnail is shown in place of the photo.
    static let replaced = "the photo is not on this device: this is its thumbnail"

    var typeName: String { "photo" }

    static let fields = FieldTable<Self> {
        Field("photo") { .integer($0.photo) }
        Field("thumbnail") { .integer($0.thumbnail) }
        Field("note", where: { $0.isReplaced }) { $0.isReplaced ? .text(replaced) : .nothing }
    }

    var summary: String {
        isReplaced ? "thumbnail of \(thumbnail) bytes; \(Self.replaced)" : "photo of \(photo) bytes"
    }

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
