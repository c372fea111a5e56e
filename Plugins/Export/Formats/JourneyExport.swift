import Formats
import Foundation
import PluginKit

/// The content of an exported file.
struct JourneyFile {
    let data: Data
    /// Pages of a document.
    var pages: Int?
    /// Number of photos in it or beside it.
    var photos: Int?
    /// What the format or the value lacks.
    var warnings: [String] = []

    init(_ bytes: [UInt8], warnings: [String]) {
        data = Data(bytes)
        self.warnings = warnings
    }

    init(_ data: Data, pages: Int? = nil, photos: Int? = nil, warnings: [String]) {
        (self.data, self.pages, self.photos, self.warnings) = (data, pages, photos, warnings)
    }
}

/// An export of journeys in one format: to a file, as text, or to a file for each.
struct JourneyExport {
    let request: ExportRequest
    let context: Context
    /// The format's word.
    let format: String
    /// The ending of files.
    let ending: String

    /// Writes the journeys. `make` gets the journeys of a file, and a function that it calls with the number of points written so
    /// far, which throws when the export is cancelled.
    func write(
        _ journeys: [ExportJourney],
        make: ([ExportJourney], _ progress: @escaping (Int) throws -> Void) throws -> JourneyFile
    ) throws -> Value {
        if request.each, let folder = request.target {
            return try JourneyFolder(url: folder, force: request.force, context: context).write(
                journeys, ending: ending
            ) { journey in try make([journey]) { _ in try context.checkCancelled() } }
        }
        let file = try make(journeys) { written in
            try context.checkCancelled()
            context.progress.report("writing points", done: written)
        }
        return try finish(file)
    }

    /// Writes the content to the file, or else returns it as text.
    func finish(_ file: JourneyFile) throws -> Value {
        try context.checkCancelled()
        guard let url = request.target else {
            for warning in file.warnings { context.log.warning("\(warning)") }
            // A text value has no final newline; a file does.
            let isEnded = file.data.last == UInt8(ascii: "\n")
            return .text(String(decoding: file.data.dropLast(isEnded ? 1 : 0), as: UTF8.self))
        }
        try OutputFile.write(file.data, to: url, force: request.force, parameter: "path")
        return .object(
            ExportedFile(
                name: url.lastPathComponent, format: format, bytes: file.data.count, pages: file.pages,
                photos: file.photos, warnings: file.warnings))
    }
}

/// Options and checks shared by the formats.
enum ExportOptions {
    /// The kinds of objects that can be named.
    static let subjects = ["hike", "route", "journey"]
    static let units = Parameter<UnitSystem?>.option(
        "units", .choice(of: UnitSystem.self), "metric or imperial; default: the session's")
    static let tiles = Parameter<URL?>.option(
        "tiles", .inputFile, "MBTiles file for the map; default: the region's, or its trail network")

    /// The wording in these units, or else in the session's.
    static func wording(_ units: UnitSystem?, _ context: Context) -> JourneyWording {
        JourneyWording(units: units ?? context.environment.units, timeZone: context.environment.timeZone)
    }

    /// The journey for a format that holds only one. Throws `E-EXPORT-ONE`.
    static func one(_ journeys: [ExportJourney], _ format: String) throws -> ExportJourney {
        guard journeys.count == 1 else {
            throw ExportErrors.one(
                "\(format) holds one hike or route, not \(journeys.count)",
                fix:
                    "choose one: … | first | export …; or write a file each: export FOLDER --each --as \(format)"
            )
        }
        return journeys[0]
    }

    /// Journeys for a format that consists of coordinates, or of what was measured without any (indoors) where it holds that, too.
    /// Throws `E-EXPORT-NOTHING`.
    static func placed(
        _ journeys: [ExportJourney], orMeasured: Bool = false
    ) throws -> [ExportJourney] {
        if let empty = journeys.first(where: { !$0.hasPlace && !(orMeasured && $0.isMeasured) }) {
            throw ExportErrors.nothing(
                empty.isMeasured
                    ? "\(empty.title) has measurements, but no positions" : "\(empty.title) has no points",
                fix: empty.isMeasured
                    ? "use `--as fit`, `--as tcx` or `--as markdown`, which require none"
                    : "use `--as markdown`, which requires no points")
        }
        return journeys
    }

    /// The lines of journeys with times. Throws `E-EXPORT-TIMES` if one has none.
    static func timed(_ journeys: [ExportJourney]) throws -> [GPXLine] {
        try journeys.flatMap { journey in
            let lines = journey.lines.filter {
                !$0.unplaced.isEmpty || $0.segments.contains { $0.contains { $0.time != nil } }
            }
            guard !lines.isEmpty else {
                throw ExportErrors.times(
                    "the recording has no times", fix: "use `--as gpx`, which requires none")
            }
            return lines
        }
    }

    /// The only line with times, for a format that holds one. Throws `E-EXPORT-TIMES` or `E-EXPORT-ONE`.
    static func onlyTimed(_ journey: ExportJourney) throws -> GPXLine {
        let lines = try timed(placed([journey], orMeasured: true))
        guard lines.count == 1 else {
            throw ExportErrors.one(
                "fit holds one track, not \(lines.count)", fix: "use `--as tcx` or `--as gpx`")
        }
        return lines[0]
    }

    /// The warnings of journeys, and the losses in a format.
    static func notices(_ journeys: [ExportJourney], _ capacity: FormatCapacity) -> [String] {
        journeys.flatMap(\.warnings)
            + capacity.losses(
                journeys.flatMap(\.lines), waypoints: journeys.flatMap { $0.places.map(\.point) })
    }
}

/// The file written by an export.
struct ExportedFile: SelfRendering {
    let name: String
    let format: String
    let bytes: Int
    var pages: Int?
    /// Number of photos written with it.
    var photos: Int?
    let warnings: [String]

    var typeName: String { "exportedFile" }
    var fieldNames: [String] {
        ["file", "format", "bytes"] + (pages == nil ? [] : ["pages"]) + (photos == nil ? [] : ["photos"])
            + ["warnings"]
    }
    var summary: String { name }

    func field(_ field: String) -> Value? {
        switch field {
        case "file": .text(name)
        case "format": .text(format)
        case "bytes": .integer(bytes)
        case "pages": pages.map { .integer($0) }
        case "photos": photos.map { .integer($0) }
        case "warnings": .list(warnings.map { .text($0) })
        default: nil
        }
    }

    func rendered(in environment: PluginKit.Environment) -> String {
        let size = pages.map { "\($0, of: "page")" } ?? "\(bytes) bytes"
        let pictures = photos.map { ", and \($0, of: "photo")" } ?? ""
        return (["\(size) written to \(name)\(pictures)"] + warnings.map { "warning: \($0)" }).joined(
            separator: "\n")
    }
}

/// The file that examples of the formats create.
enum ExportExample {
    static let save =
        "'<gpx><wpt lat=\"46.501\" lon=\"7.901\"><name>Bench</name></wpt><trk><name>Walk</name><trkseg>"
        + "<trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele><time>2026-02-06T08:00:00Z</time></trkpt>"
        + "<trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele><time>2026-02-06T08:01:30Z</time></trkpt>"
        + "</trkseg></trk></gpx>' | save walk.gpx"
    static let open = [save, "let walk = import walk.gpx --dry-run"]
}
