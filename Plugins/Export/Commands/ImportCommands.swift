import Formats
import Foundation
import PluginKit

/// Parameters and steps that all imports share.
enum ImportOptions {
    /// What lines become in the stores; `nil` where nothing is added to them.
    static let keep = Parameter<JourneyImporter.LineKind?>.group(
        .flag("keep", "also add the contents to the stores"),
        .option(
            "as", .choice(of: JourneyImporter.LineKind.self) { $0.summary }, default: "auto",
            "with --keep: what lines become"), make: { $0 ? $1 : nil })
    static let help = """
        Gives all of the file as a value, to be drawn or exported: `… | map`, `… | export pdf --out report.pdf`. With \
        --keep lines with times are added to the hikes, other lines to the planned routes (--as says otherwise), and \
        waypoints to the waypoints, linked to the hike where it is the only one; all of it or nothing, and `undo` takes \
        it back.
        """

    /// Adds the journey to the stores where a kind of line is given, and returns it.
    static func finish(
        _ journey: Journey, as kind: JourneyImporter.LineKind?, _ importer: JourneyImporter,
        _ context: Context
    ) throws -> Value {
        guard journey.hasPlace else {
            throw ExportErrors.nothing("the file has no waypoint, track or route", at: .parameter("file"))
        }
        try context.checkCancelled()
        var object = JourneyObject(journey: journey)
        if let kind { object.kept = try importer.add(journey, as: kind, context) }
        return .object(object)
    }
}

/// `import gpx`
struct ImportGPX: CommandProvider {
    let importer: JourneyImporter

    var command: Command {
        Command(
            "import gpx", "reads tracks, routes and waypoints of a GPX file",
            details: """
                \(ImportOptions.help) Segments, times, heart rates, names, descriptions, comments, links, symbols and types are \
                kept; what else devices write (accuracy, satellites, extensions) is not. `hike import`, `route import` and \
                `waypoint import` take only what they are for.
                """,
            .positional("file", .inputFile, "GPX 1.0 or 1.1 file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "what is in it", "import gpx walk.gpx | get distance", after: [ExportExample.save],
                    gives: "111m"),
                .init(
                    "into the stores", "import gpx walk.gpx --keep | get kept", after: [ExportExample.save],
                    gives: "1 hike, 1 waypoint"),
            ], searchTerms: ["read", "load", "track"]
        ) { context, url, kind in
            let document = try GPXReader.document(url, check: context.checkCancelled) { points in
                context.progress.report("reading points", done: points)
            }
            let journey = Journey(document, fallbackName: url.deletingPathExtension().lastPathComponent)
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}

/// `import geojson`
struct ImportGeoJSON: CommandProvider {
    let importer: JourneyImporter

    var command: Command {
        Command(
            "import geojson", "reads lines and points of a GeoJSON file",
            details: """
                \(ImportOptions.help) Points become waypoints, lines and the outlines of areas tracks. Lines that were cut at \
                the antimeridian are put together again.
                """,
            .positional("file", .inputFile, "GeoJSON file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "what was exported", "import geojson walk.geojson | get distance",
                    after: ExportExample.open + ["$walk | export geojson --out walk.geojson"], gives: "111m")
            ], searchTerms: ["read", "load", "json"]
        ) { context, url, kind in
            let document = try JSONFile.read(url, check: context.checkCancelled) {
                try GeoJSONReader.document($0, check: context.checkCancelled)
            }
            let journey = Journey(document, fallbackName: url.deletingPathExtension().lastPathComponent)
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}

/// `import kml`
struct ImportKML: CommandProvider {
    let importer: JourneyImporter

    var command: Command {
        Command(
            "import kml", "reads lines and points of a KML file",
            details: """
                \(ImportOptions.help) Points become waypoints, lines and the outlines of areas tracks, gx:Track a track with \
                its times. Folders, styles, overlays and network links are not read.
                """,
            .positional("file", .inputFile, "KML file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "what was exported", "import kml walk.kml | get distance",
                    after: ExportExample.open + ["$walk | export kml --out walk.kml"], gives: "111m")
            ], searchTerms: ["read", "load", "earth"]
        ) { context, url, kind in
            let journey = Journey(
                try KMLReader.document(url, check: context.checkCancelled),
                fallbackName: url.deletingPathExtension().lastPathComponent)
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}

/// `import community`
struct ImportCommunity: CommandProvider {
    let importer: JourneyImporter

    var command: Command {
        Command(
            "import community", "reads a route of the community's JSON",
            details: """
                \(ImportOptions.help) Elevations that are all 0, and times that are all the same, are taken for unknown. \
                Photos are read where --photos says; --keep stores them with their waypoints, the first of each.
                """,
            .positional("file", .inputFile, "JSON file of a community route"),
            .option("photos", .inputPath, "the folder with the photos that it names"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "what was exported", "import community walk.json | get name",
                    after: ExportExample.open + ["$walk | export community --out walk.json"], gives: "Walk")
            ], searchTerms: ["read", "load", "share", "json"]
        ) { context, file, photos, kind in
            let files = context.files
            let folder = photos.map(PhotoFolder.init)
            var journey = try CommunityReading.journey(
                file, photo: { try folder?.read($0, files) }, check: context.checkCancelled)
            if let folder {
                for name in journey.photos.compactMap(\.fileName) where !folder.has(name) {
                    journey.warnings.append("the photo \(name) is not in \(folder.url.lastPathComponent)")
                }
                for warning in journey.warnings { context.log.warning("\(warning)") }
            }
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}
