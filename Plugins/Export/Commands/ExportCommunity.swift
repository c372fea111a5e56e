import Foundation
import Photos
import Pictures
import PluginKit

/// `export community`
struct ExportCommunity: CommandProvider {
    let source: JourneySource

    var name: String { "export community" }

    var command: Command {
        Command(
            name, "write a hike or planned route as community JSON",
            details: """
                \(ExportOptions.inputHelp) Keys: id version name activityType author description createdAt region stats \
                boundingBox track waypoints photos, sorted by name; coordinates with 5 decimals, elevations with one. Unknown \
                values that the format requires are written as the apps do: interpolated elevations, or 0 if all are \
                unknown; the time of the previous point. Photos are named after their waypoints; --photos writes them \
                unchanged. Author, region and version of an imported file are preserved.
                """,
            ExportOptions.subject,
            ExportOptions.out,
            .option("photos", .outputFile, "folder for the photos; created if missing"),
            .option("author", .text, "author"),
            .option("country", .text, "country of the route"),
            .option("area", .text, "area of the route"),
            ExportOptions.force,
            input: ExportOptions.input, output: .value("text"), effect: .reads,
            examples: [
                .init(
                    "its statistics", "$walk | export community | from json | get stats.distanceMeters",
                    after: ExportExample.open, gives: "111.2")
            ], searchTerms: ["share", "json", "upload"]
        ) { input, context, named, out, photos, author, country, area, force in
            let journey = try ExportOptions.one(
                ExportOptions.placed(source.journeys(named, input, context)), "community")
            let details = CommunityFormat.Details(
                author: author, country: country, area: area)
            let bytes = try CommunityFormat.bytes(journey, details)
            var warnings =
                ExportOptions.notices([journey], .community) + CommunityFormat.placeholders(journey)
            guard let folder = photos else {
                return try ExportOptions.finish(
                    bytes, "community", to: out, force: force, warnings: warnings, context)
            }
            let photos = try Self.photos(of: journey, &warnings, context)
            var written = Value.nothing
            try PhotoFolder(url: folder).write(photos, force: force) {
                written = try ExportOptions.finish(
                    bytes, "community", to: out, force: force, warnings: warnings, photos: photos.count,
                    context)
            }
            return written
        }
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
