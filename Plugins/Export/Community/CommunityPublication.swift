import Archives
import Formats
import Foundation
import Photos
import PluginKit

/// The files of a route as the community's repository has them.
struct CommunityPublication {
    /// The largest box that a photo of the repository fits into, in pixels.
    private static let photoBox = (width: 640.0, height: 400.0)
    /// The JPEG quality of photos, 0…1.
    private static let photoQuality = 0.7
    /// Bytes above which the repository's check warns of a photo.
    private static let largePhoto = 204_800

    /// The route as it is shared.
    private(set) var journey: ExportJourney
    /// The bytes of its `route.json`.
    private(set) var route: [UInt8] = []
    /// Its photos by file name.
    private(set) var photos: [(name: String, data: Data)] = []
    /// What was left out, or is doubtful.
    private(set) var warnings: [String] = []

    /// Makes the files; the sensors of a recording are none of the format. Throws `E-EXPORT-NOTHING`.
    init(_ journey: ExportJourney, _ details: CommunityFormat.Details, _ context: Context) throws {
        self.journey = journey
        warnings = ExportOptions.notices([journey], .community) + CommunityFormat.placeholders(journey)
        try compressPhotos(context)
        route = try CommunityFormat.bytes(self.journey, details)
    }

    /// Photos as small JPEGs without EXIF data; those that are missing or no images are left out of the route, too.
    private mutating func compressPhotos(_ context: Context) throws {
        var kept: [JourneyPhoto] = []
        var taken: Set<String> = []
        for (index, photo) in journey.photos.enumerated() {
            try context.checkCancelled()
            let own = CommunityFormat.fileName(photo, at: index, in: journey)
            guard let data = try photo.read() else {
                warnings.append("the photo \(own) is missing, and was left out")
                continue
            }
            do {
                try PhotoKind(sniffing: data.prefix(16))?.requireLibraries()
                let small = try Self.compressed(data)
                let stem = (own as NSString).deletingPathExtension
                var name = stem + ".jpg"
                var number = 2
                while !taken.insert(name.lowercased()).inserted {
                    name = "\(stem)-\(number).jpg"
                    number += 1
                }
                if small.count > Self.largePhoto {
                    warnings.append(
                        "the photo \(name) has \(small.count) bytes; the community asks for \(Self.largePhoto) at most"
                    )
                }
                var shared = photo
                shared.fileName = name
                kept.append(shared)
                photos.append((name, small))
            } catch let error as PhotoError {
                warnings.append("the photo \(own) was left out: \(error.description)")
            }
        }
        journey.photos = kept
    }

    private static func compressed(_ data: Data) throws(PhotoError) -> Data {
        let info = try Photos.info(data)
        let (width, height) =
            info.orientation.isTransposed ? (info.height, info.width) : (info.width, info.height)
        let share = min(1, photoBox.width / Double(width), photoBox.height / Double(height))
        return try Photos.uprightJPEG(
            data, longestSide: max(1, Int((Double(max(width, height)) * share).rounded(.down))),
            quality: photoQuality)
    }

    /// The files of the route's folder by name. They are made of `route.json` alone, so that they hold no more than it.
    func files(check: () throws -> Void) throws -> [(name: String, data: Data)] {
        let shared = try CommunityReader.journey(
            SourceBytes(route, name: CommunityFolder.routeName), check: check)
        let gpx = try GPXFormat.bytes([shared], asRoutes: false) { _ in try check() }
        return [
            (CommunityFolder.routeName, Data(route)), ("route.gpx", Data(gpx)),
            ("README.md", Data(Self.summary(shared).utf8)),
        ] + photos.map { ("\(CommunityFolder.photosName)/\($0.name)", $0.data) }
    }

    /// The text that the repository shows of a route.
    private static func summary(_ journey: ExportJourney) -> String {
        let wording = JourneyWording(units: .metric, timeZone: .gmt)
        let facts = journey.facts
        let place = [journey.community?.area, journey.community?.country].compactMap { $0?.nonEmpty }
            .joined(separator: ", ")
        let by = [journey.activity, journey.author.map { "by \($0)" }].compactMap(\.self).joined(
            separator: ", ")
        var blocks = ["# " + MarkdownText.inline(journey.title), MarkdownText.inline(by)]
        if !journey.comment.isEmpty { blocks.append(MarkdownText.paragraphs(journey.comment)) }
        let rows = [
            ("Distance", wording.distance(facts.distance)), ("Climb", wording.height(facts.gain)),
            ("Descent", wording.height(facts.loss)), ("Duration", wording.duration(facts.duration)),
            ("Region", MarkdownText.inline(place)),
        ]
        blocks.append(
            "| Measure | Value |\n| --- | --- |\n"
                + rows.map { "| \($0.0) | \($0.1) |" }.joined(separator: "\n"))
        if !journey.places.isEmpty {
            let items = journey.places.map { waypoint -> String in
                let name = waypoint.name.nonEmpty ?? waypoint.categoryName(in: journey.categories)
                let note = waypoint.point.description.map { ": " + MarkdownText.inline($0) } ?? ""
                return "- **\(MarkdownText.inline(name))**\(note)"
            }
            blocks.append("## Waypoints\n\n" + items.joined(separator: "\n"))
        }
        if !journey.photos.isEmpty {
            let items = journey.photos.enumerated().map { index, photo -> String in
                let name = photo.fileName ?? "photo-\(index + 1).jpg"
                let place = name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name
                return "![\(MarkdownText.inline(photo.caption.nonEmpty ?? name))]"
                    + "(\(CommunityFolder.photosName)/\(place))"
            }
            blocks.append("## Photos\n\n" + items.joined(separator: "\n\n"))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }
}
