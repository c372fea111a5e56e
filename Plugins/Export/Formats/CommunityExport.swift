import Foundation
import Photos
import Pictures
import PluginKit

/// The format `community`: a hike or route as community JSON, with its photos.
struct CommunityExport {
    let source: JourneySource

    var format: ExportFormat {
        ExportFormat(
            "community", "community JSON: a hike or planned route",
            details: """
                Keys: id version name activityType author description createdAt region stats \
                boundingBox track waypoints photos, sorted by name; coordinates with 5 decimals, elevations with one. Unknown \
                values that the format requires are written as the apps do: interpolated elevations, or 0 if all are \
                unknown; the time of the previous point. Photos are named after their waypoints; --photos writes them \
                unchanged. Author, region and version of an imported file are preserved.
                """,
            endings: ["json"], isText: true, subjects: ExportOptions.subjects,
            .option("photos", .outputFile, "folder for the photos; created if missing"),
            .option("author", .text, "author"),
            .option("country", .text, "country of the route"),
            .option("area", .text, "area of the route"),
            examples: [
                .init(
                    "its statistics", "$walk | export --as community | from json | get stats.distanceMeters",
                    after: ExportExample.open, gives: "111.2")
            ]
        ) { request, context, photos, author, country, area in
            try write(
                request, photos: photos,
                .init(author: author, country: country, area: area), context)
        }
    }

    private func write(
        _ request: ExportRequest, photos folder: URL?, _ details: CommunityFormat.Details, _ context: Context
    ) throws -> Value {
        let export = JourneyExport(request: request, context: context, format: "community", ending: "json")
        let journey = try ExportOptions.one(
            ExportOptions.placed(source.journeys(request.subject, request.input, context)), "community")
        let bytes = try CommunityFormat.bytes(journey, details)
        var file = JourneyFile(
            bytes,
            warnings: ExportOptions.notices([journey], .community) + CommunityFormat.placeholders(journey))
        guard let folder else { return try export.finish(file) }
        let photos = try Self.photos(of: journey, &file.warnings, context)
        file.photos = photos.count
        var written = Value.nothing
        try PhotoFolder(url: folder).write(photos, force: request.force) {
            written = try export.finish(file)
        }
        return written
    }

    /// The existing photos, each once.
    private static func photos(
        of journey: ExportJourney, _ warnings: inout [String], _ context: Context
    ) throws -> [(name: String, read: () throws -> Data)] {
        var found: [(name: String, read: () throws -> Data)] = []
        for (index, photo) in journey.photos.enumerated() {
            try context.checkCancelled()
            let name = CommunityFormat.fileName(photo, at: index, in: journey)
            if found.contains(where: { $0.name == name }) { continue }
            let data = try photo.read()
            guard let data, PhotoKind(sniffing: data) != nil else {
                warnings.append(
                    "the photo \(name) \(data == nil ? "is missing" : "is not an image, and was omitted")")
                continue
            }
            // Read again when written: all photos together may not fit into memory.
            found.append((name, { try photo.read() ?? Data() }))
        }
        return found
    }
}

/// The formats of hikes, routes and waypoints, for `export`.
struct JourneyFormats: ExportFormatSource {
    let source: JourneySource

    /// All of them.
    var exportFormats: [ExportFormat] {
        TrackFormats(source: source).all + ReportFormats(source: source).all
            + [CommunityExport(source: source).format]
    }
}
