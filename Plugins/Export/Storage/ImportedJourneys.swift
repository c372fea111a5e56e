import Archives
import Formats
import Foundation
import Photos
import Pictures
import PluginKit
import TrailStores

/// Shows files of tracks as journeys.
struct JourneyViewing: TrackViewing {
    func value(of tracks: ImportedTracks, file: String, stem: String, _ context: Context) throws -> Value {
        var journey = tracks.original as? ExportJourney ?? ExportJourney(tracks, fallbackName: stem)
        journey.file = (file as NSString).lastPathComponent
        journey.format = tracks.format
        for warning in journey.warnings { context.log.warning("\(warning)") }
        return .object(JourneyObject(journey: journey))
    }
}

/// Reads the community's JSON for imports.
struct CommunityTracks: TrackReading {
    let format = "community"

    /// The keys of the format are written in order, so that one of the first is in the head.
    func recognises(_ head: String) -> Bool { head.contains("\"activityType\"") }

    func read(_ source: SourceBytes, photos: URL?, _ context: Context) throws -> ImportedTracks {
        let files = context.files
        let folder = photos.map(PhotoFolder.init)
        var journey = try CommunityReader.journey(
            source, photo: { try folder?.read($0, files) }, check: context.checkCancelled)
        if let folder {
            for name in journey.photos.compactMap(\.fileName) where !folder.has(name) {
                journey.warnings.append("the photo \(name) is not in \(folder.url.lastPathComponent)")
            }
        }
        var document = journey.document
        document.name = journey.name
        document.description = journey.comment
        document.author = journey.author
        document.tracks = journey.tracks
        document.waypoints = journey.places.map(\.point)
        document.notices = journey.warnings
        var tracks = ImportedTracks(
            format: format, document: document, places: journey.places, lineID: journey.id)
        tracks.estimate = journey.facts.estimated
        let pictures = journey.photos
        tracks.pictured = try Set(
            pictures.compactMap { photo in
                guard case .waypoint(let index) = photo.subject, try photo.read() != nil else { return nil }
                return index
            })
        tracks.photo = { try Self.photo(of: $0, pictures) }
        tracks.original = journey
        return tracks
    }

    /// The first photo of a waypoint with its thumbnail. Throws `E-IMPORT-VALUE` for data that is not an image.
    private static func photo(of index: Int, _ photos: [JourneyPhoto]) throws -> WaypointPhoto? {
        for photo in photos where photo.subject == .waypoint(index) {
            guard let data = try photo.read() else { continue }
            try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
            do {
                return WaypointPhoto(
                    photo: try Photos.uprightJPEG(data), thumbnail: try Photos.thumbnail(data).jpeg)
            } catch {
                throw ImportErrors.value(
                    "\(photo.fileName ?? "a photo"): \(error)", at: .parameter("photos"),
                    fix: "correct the file, or omit --photos")
            }
        }
        return nil
    }
}

extension ExportJourney {
    /// The contents of a file of a common format.
    init(_ tracks: ImportedTracks, fallbackName: String) {
        self.init(tracks.document, fallbackName: fallbackName)
        places = tracks.places
        if self.tracks.count == 1 { id = tracks.lineID }
        for line in self.tracks { warnings += line.doubts + RecordingCheck(line).warnings }
    }
}
