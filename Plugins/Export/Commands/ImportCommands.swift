import Archives
import Formats
import Foundation
import PluginKit
import TrailStores

/// Parameters and helpers shared by all imports.
enum ImportOptions {
    /// The kind of stored lines; `nil` if nothing is stored.
    static let keep = Parameter<JourneyImporter.LineKind?>.group(
        .flag("keep", "also add the contents to the stores"),
        .option(
            "as", .choice(of: JourneyImporter.LineKind.self) { $0.summary }, default: "auto",
            "with --keep: what lines become"), make: { $0 ? $1 : nil })
    static let help = """
        Returns the whole file as a value: `… | map`, `… | export report.pdf`. With --keep, lines with times \
        are added as hikes, other lines as planned routes (unless --as is given), and waypoints as waypoints, linked to \
        the hike if there is only one; all or nothing, and `undo` reverts it.
        """

    /// The journey of a file of tracks.
    static func journey(_ document: GPXDocument, _ url: URL, _ format: String) -> ExportJourney {
        var journey = ExportJourney(document, fallbackName: url.deletingPathExtension().lastPathComponent)
        journey.file = url.lastPathComponent
        journey.format = format
        for line in journey.tracks { journey.warnings += RecordingCheck(line).warnings }
        return journey
    }

    /// Adds the journey to the stores if a kind is given, and returns it as a value.
    static func finish(
        _ journey: ExportJourney, as kind: JourneyImporter.LineKind?, _ importer: JourneyImporter,
        _ context: Context
    ) throws -> Value {
        guard journey.hasPlace else {
            throw ExportErrors.nothing("the file has no waypoint, track or route", at: .parameter("file"))
        }
        try context.checkCancelled()
        for warning in journey.warnings { context.log.warning("\(warning)") }
        var object = JourneyObject(journey: journey)
        if let kind { object.kept = try importer.add(journey, as: kind, context) }
        return .object(object)
    }
}

/// `import gpx`
struct ImportGPX: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import gpx" }

    var command: Command {
        Command(
            name, "read tracks, routes and waypoints from a GPX file",
            details: """
                \(ImportOptions.help) All data of a track are kept: segments, sensors, receiver data, texts, links and the \
                extensions of other programs. Ignored data are listed in the field warnings. `hike import`, `route \
                import` and `waypoint import` each read only their own kind.
                """,
            .positional("file", .inputFile, "GPX 1.0 or 1.1 file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "the distance", "import gpx walk.gpx | get distance", after: [ExportExample.save],
                    gives: "111m"),
                .init(
                    "into the stores", "import gpx walk.gpx --keep | get kept", after: [ExportExample.save],
                    gives: "1 hike, 1 waypoint"),
            ], searchTerms: ["read", "load", "track"]
        ) { context, url, kind in
            let document = try GPXReader.document(url, check: context.checkCancelled) { points in
                context.progress.report("reading points", done: points)
            }
            return try ImportOptions.finish(
                ImportOptions.journey(document, url, "gpx"), as: kind, importer, context)
        }
    }
}

/// `import fit`
struct ImportFIT: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import fit" }

    var command: Command {
        Command(
            name, "read an activity or course from a FIT file",
            details: """
                \(ImportOptions.help) Records become points with heart rate, cadence, power, temperature, speed and accuracy; \
                timer stops begin new segments, sessions new tracks. The checksum is verified. Ignored fields, messages and \
                developer fields are listed in the field warnings.
                """,
            .positional("file", .inputFile, "FIT file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "import fit walk.fit | get distance",
                    after: ExportExample.open + ["$walk | export walk.fit"], gives: "111m")
            ], searchTerms: ["read", "load", "garmin", "wahoo"]
        ) { context, url, kind in
            let document = try FITReader.document(url, check: context.checkCancelled) { points in
                context.progress.report("reading points", done: points)
            }
            return try ImportOptions.finish(
                ImportOptions.journey(document, url, "fit"), as: kind, importer, context)
        }
    }
}

/// `import tcx`
struct ImportTCX: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import tcx" }

    var command: Command {
        Command(
            name, "read activities and courses from a TCX file",
            details: """
                \(ImportOptions.help) Trackpoints become points with heart rate, cadence, power, speed and the device's \
                distance; laps are kept, course points become waypoints.
                """,
            .positional("file", .inputFile, "TCX file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "import tcx walk.tcx | get distance",
                    after: ExportExample.open + ["$walk | export walk.tcx"], gives: "111m")
            ], searchTerms: ["read", "load", "garmin", "training"]
        ) { context, url, kind in
            let document = try TCXReader.document(url, check: context.checkCancelled) { points in
                context.progress.report("reading points", done: points)
            }
            return try ImportOptions.finish(
                ImportOptions.journey(document, url, "tcx"), as: kind, importer, context)
        }
    }
}

/// `import geojson`
struct ImportGeoJSON: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import geojson" }

    var command: Command {
        Command(
            name, "read lines and points from a GeoJSON file",
            details: """
                \(ImportOptions.help) Points become waypoints; lines and outlines of areas become tracks. Lines cut at the \
                antimeridian are joined again.
                """,
            .positional("file", .inputFile, "GeoJSON file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "import geojson walk.geojson | get distance",
                    after: ExportExample.open + ["$walk | export walk.geojson"], gives: "111m")
            ], searchTerms: ["read", "load", "json"]
        ) { context, url, kind in
            let document = try JSONSource.read(SourceBytes(url), check: context.checkCancelled) {
                try GeoJSONReader.document($0, check: context.checkCancelled)
            }
            var journey = ExportJourney(document, fallbackName: url.deletingPathExtension().lastPathComponent)
            (journey.file, journey.format) = (url.lastPathComponent, "geojson")
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}

/// `import kml`
struct ImportKML: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import kml" }

    var command: Command {
        Command(
            name, "read lines and points from a KML file",
            details: """
                \(ImportOptions.help) Points become waypoints; lines and outlines of areas become tracks, gx:Track with its \
                times. Folders, styles, overlays and network links are ignored.
                """,
            .positional("file", .inputFile, "KML file"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "import kml walk.kml | get distance",
                    after: ExportExample.open + ["$walk | export walk.kml"], gives: "111m")
            ], searchTerms: ["read", "load", "earth"]
        ) { context, url, kind in
            var journey = ExportJourney(
                try KMLReader.document(SourceBytes(url), check: context.checkCancelled),
                fallbackName: url.deletingPathExtension().lastPathComponent)
            (journey.file, journey.format) = (url.lastPathComponent, "kml")
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}

/// `import community`
struct ImportCommunity: CommandProvider {
    let importer: JourneyImporter

    var name: String { "import community" }

    var command: Command {
        Command(
            name, "read a route from community JSON",
            details: """
                \(ImportOptions.help) Elevations that are all 0, and times that are all equal, are treated as unknown. Photos \
                are read from --photos; --keep stores the first photo of each waypoint.
                """,
            .positional("file", .inputFile, "JSON file of a community route"),
            .option("photos", .inputPath, "folder with the photos that the file names"),
            ImportOptions.keep,
            output: .value("journey"), effect: .changes,
            examples: [
                .init(
                    "an exported file", "import community walk.json | get name",
                    after: ExportExample.open + ["$walk | export walk.json"], gives: "Walk")
            ], searchTerms: ["read", "load", "share", "json"]
        ) { context, file, photos, kind in
            let files = context.files
            let folder = photos.map(PhotoFolder.init)
            var journey = try CommunityReader.journey(
                file, photo: { try folder?.read($0, files) }, check: context.checkCancelled)
            if let folder {
                for name in journey.photos.compactMap(\.fileName) where !folder.has(name) {
                    journey.warnings.append("the photo \(name) is not in \(folder.url.lastPathComponent)")
                }
            }
            return try ImportOptions.finish(journey, as: kind, importer, context)
        }
    }
}
