import Formats
import Foundation
import PluginKit

/// Parameters and helpers shared by all exports.
enum ExportOptions {
    static let subject = Parameter<(any DomainObject)?>.optional(
        "what", .reference(toAnyOf: ["hike", "route", "journey"]),
        "hike or planned route by name or id; default: the piped value")
    static let out = Parameter<URL?>.option("out", .outputFile, "file to write; default: return the text")
    static let force = Parameter<Bool>.flag("force", "overwrite an existing file")
    static let units = Parameter<UnitSystem?>.option(
        "units", .choice(of: UnitSystem.self), "metric or imperial; default: the session's")

    /// The optional piped value of an export.
    static let input = CommandSpec.Shape.optional(.any)
    static let inputHelp = """
        Exports a hike or planned route by name or id, or piped hikes, routes, imports, waypoints and anything else with \
        a coordinate.
        """

    /// The wording in these units, or else in the session's.
    static func wording(_ units: UnitSystem?, _ context: Context) -> Wording {
        Wording(units: units ?? context.environment.units, timeZone: context.environment.timeZone)
    }

    /// The journey for a format that holds only one. Throws `E-EXPORT-ONE`.
    static func one(_ journeys: [Journey], _ format: String) throws -> Journey {
        guard journeys.count == 1 else {
            throw ExportErrors.one(
                "\(format) holds one hike or route, not \(journeys.count)",
                fix: "choose one: … | first | export \(format)")
        }
        return journeys[0]
    }

    /// Journeys for a format that consists of coordinates. Throws `E-EXPORT-NOTHING`.
    static func placed(_ journeys: [Journey]) throws -> [Journey] {
        if let empty = journeys.first(where: { !$0.hasPlace }) {
            throw ExportErrors.nothing(
                "\(empty.title) has no points", fix: "use `export markdown`, which requires no points")
        }
        return journeys
    }

    /// The lines of journeys with times. Throws `E-EXPORT-TIMES` if one has none.
    static func timed(_ journeys: [Journey]) throws -> [GPXLine] {
        try journeys.flatMap { journey in
            let lines = journey.lines.filter { $0.segments.contains { $0.contains { $0.time != nil } } }
            guard !lines.isEmpty else {
                throw ExportErrors.times(
                    "the recording has no times", fix: "use `export gpx`, which requires none")
            }
            return lines
        }
    }

    /// The only line with times, for a format that holds one. Throws `E-EXPORT-TIMES` or `E-EXPORT-ONE`.
    static func onlyTimed(_ journey: Journey) throws -> GPXLine {
        let lines = try timed(placed([journey]))
        guard lines.count == 1 else {
            throw ExportErrors.one(
                "fit holds one track, not \(lines.count)", fix: "use `export tcx` or `export gpx`")
        }
        return lines[0]
    }

    /// The warnings of journeys, and the losses in a format.
    static func notices(_ journeys: [Journey], _ capacity: FormatCapacity) -> [String] {
        journeys.flatMap(\.warnings)
            + capacity.losses(
                journeys.flatMap(\.lines), waypoints: journeys.flatMap { $0.places.map(\.point) })
    }

    /// Writes the bytes to a file, or else returns them as text.
    static func finish(
        _ bytes: [UInt8], _ format: String, to url: URL?, force: Bool, warnings: [String],
        photos: Int? = nil, _ context: Context
    ) throws -> Value {
        try context.checkCancelled()
        guard let url else {
            for warning in warnings { context.log.warning("\(warning)") }
            // A text value has no final newline; a file does.
            let isEnded = bytes.last == UInt8(ascii: "\n")
            return .text(String(decoding: bytes.dropLast(isEnded ? 1 : 0), as: UTF8.self))
        }
        try OutputFile.write(Data(bytes), to: url, force: force)
        return .object(
            ExportedFile(
                name: url.lastPathComponent, format: format, bytes: bytes.count, photos: photos,
                warnings: warnings))
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
        let size = pages.map { "\($0) page\($0 == 1 ? "" : "s")" } ?? "\(bytes) bytes"
        let pictures = photos.map { ", and \($0) photo\($0 == 1 ? "" : "s")" } ?? ""
        return (["\(size) written to \(name)\(pictures)"] + warnings.map { "warning: \($0)" }).joined(
            separator: "\n")
    }
}

/// The file that examples of these commands create.
enum ExportExample {
    static let save =
        "'<gpx><wpt lat=\"46.501\" lon=\"7.901\"><name>Bench</name></wpt><trk><name>Walk</name><trkseg>"
        + "<trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele><time>2026-02-06T08:00:00Z</time></trkpt>"
        + "<trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele><time>2026-02-06T08:01:30Z</time></trkpt>"
        + "</trkseg></trk></gpx>' | save walk.gpx"
    static let open = [save, "let walk = import walk.gpx --dry-run"]
}
