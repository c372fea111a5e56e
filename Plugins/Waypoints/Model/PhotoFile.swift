import Foundation
import Geodesy
import Photos
import Pictures
import PluginKit
import TrailStores

/// A photo read from a file, as a waypoint stores it.
struct PhotoFile {
    /// The upright JPEG and its thumbnail.
    let photo: WaypointPhoto
    /// The coordinate of the photo, from its EXIF data.
    let coordinate: Coordinate?
    /// The time of the photo, from its EXIF data.
    let taken: PhotoTime?

    /// Maximum size of a photo in bytes: apps store nothing larger.
    private static let largest = 256 << 20

    /// Reads and checks a photo; throws `E-WAYPOINT-PHOTO` with the reason.
    init(_ url: URL) throws {
        // A file of unknown size is rejected below, when it is read.
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
        guard size <= Self.largest, let data = FileManager.default.contents(atPath: url.path) else {
            throw WaypointErrors.photo("\(url.lastPathComponent) cannot be read", at: .parameter("photo"))
        }
        do {
            try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
            let info = try Photos.info(data)
            coordinate = info.coordinate
            taken = PhotoTime(info)
            photo = WaypointPhoto(
                photo: try Photos.uprightJPEG(data), thumbnail: try Photos.thumbnail(data).jpeg)
        } catch let error as RutterError {
            throw error
        } catch {
            throw WaypointErrors.photo("\(url.lastPathComponent): \(error)", at: .parameter("photo"))
        }
    }
}
