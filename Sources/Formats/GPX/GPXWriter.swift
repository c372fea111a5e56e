import CivilTime
import Foundation
import Geodesy

/// Writes GPX 1.1, its elements in the order of the schema (http://www.topografix.com/GPX/1/1/gpx.xsd). The same
/// document always gives the same bytes. A place at the 180° meridian is written as −180°, because the schema has no
/// longitude of 180; elevations and heart rates that the schema cannot hold are left out.
public struct GPXWriter {
    /// Bytes that a track point takes about.
    private static let pointSize = 96

    private var out: XMLOutput
    /// Points written.
    private var written = 0

    /// The text of a document.
    public static func text(_ document: GPXDocument) -> String { text(document) { _ in } }

    /// The text of a document. `check` is told the number of points written every thousand of them, and stops the
    /// whole by throwing.
    public static func text(_ document: GPXDocument, check: (Int) throws -> Void) rethrows -> String {
        String(decoding: try bytes(document, check: check), as: UTF8.self)
    }

    /// The file of a document, UTF-8. `check` is told the number of points written every thousand of them, and stops
    /// the whole by throwing.
    public static func bytes(_ document: GPXDocument, check: (Int) throws -> Void) rethrows -> [UInt8] {
        let lines = document.tracks + document.routes
        let points = lines.reduce(document.waypoints.count) { $0 + $1.segments.reduce(0) { $0 + $1.count } }
        var writer = GPXWriter(out: XMLOutput(capacity: 512 + points * pointSize))
        try writer.write(document, check)
        return writer.out.bytes
    }

    private mutating func count(_ check: (Int) throws -> Void) rethrows {
        if written % GPXSettings.checkInterval == 0 { try check(written) }
        written += 1
    }

    private mutating func write(_ document: GPXDocument, _ check: (Int) throws -> Void) rethrows {
        out.raw(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1"
            """)
        if Self.hasExtensions(document) {
            out.raw(" xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\"")
        }
        out.raw(">\n")
        writeMetadata(document)
        for point in document.waypoints {
            try count(check)
            write(waypoint: point)
        }
        for route in document.routes {
            out.raw("  <rte>\n")
            writeHead(route)
            for segment in route.segments { try write(segment, as: "rtept", indent: "    ", check) }
            out.raw("  </rte>\n")
        }
        for track in document.tracks {
            out.raw("  <trk>\n")
            writeHead(track)
            for segment in track.segments {
                out.raw("    <trkseg>\n")
                try write(segment, as: "trkpt", indent: "      ", check)
                out.raw("    </trkseg>\n")
            }
            out.raw("  </trk>\n")
        }
        out.raw("</gpx>\n")
    }

    private static func hasExtensions(_ document: GPXDocument) -> Bool {
        func has(_ point: GPXPoint) -> Bool {
            point.heartRate != nil || point.details.contains(where: \.kind.isExtension)
        }
        return (document.tracks + document.routes).contains {
            $0.segments.contains { $0.contains(where: has) }
        }
            || document.waypoints.contains(where: has)
    }

    private mutating func writeMetadata(_ document: GPXDocument) {
        let words = [document.name, document.description, document.author, document.keywords]
        guard document.time != nil || words.contains(where: { $0?.isEmpty == false }) else { return }
        out.raw("  <metadata>\n")
        element("name", document.name, "    ", "\n")
        element("desc", document.description, "    ", "\n")
        if let author = document.author, !author.isEmpty {
            out.raw("    <author>")
            element("name", author, "", "")
            out.raw("</author>\n")
        }
        if let time = document.time { element("time", ISO8601.text(time), "    ", "\n") }
        element("keywords", document.keywords, "    ", "\n")
        out.raw("  </metadata>\n")
    }

    private mutating func writeHead(_ line: GPXLine) {
        element("name", line.name, "    ", "\n")
        element("cmt", line.comment, "    ", "\n")
        element("desc", line.description, "    ", "\n")
        element("src", line.source, "    ", "\n")
        link(line.link, "    ", "\n")
        if let number = line.number, number >= 0 { element("number", String(number), "    ", "\n") }
        element("type", line.type, "    ", "\n")
    }

    private mutating func write(waypoint point: GPXPoint) {
        out.raw("  <wpt")
        writePlace(point.coordinate)
        writeContent(of: point, before: "    ", after: "\n", opening: ">\n", closing: "  </wpt>\n")
    }

    private mutating func write(
        _ points: [GPXPoint], as name: StaticString, indent: StaticString, _ check: (Int) throws -> Void
    ) rethrows {
        for point in points {
            try count(check)
            out.raw(indent)
            out.raw("<")
            out.raw(name)
            writePlace(point.coordinate)
            let isRoute = name.utf8Start[0] == UInt8(ascii: "r")
            writeContent(
                of: point, before: "", after: "", opening: ">", closing: isRoute ? "</rtept>\n" : "</trkpt>\n"
            )
        }
    }

    private mutating func writePlace(_ place: Coordinate) {
        out.raw(" lat=\"")
        out.decimal(place.latitude, MapSettings.angleDecimals)
        out.raw("\" lon=\"")
        let isLimit = place.longitude >= 180 - 0.5e-7
        out.decimal(isLimit ? -180 : place.longitude, MapSettings.angleDecimals)
        out.raw("\"")
    }

    private mutating func writeContent(
        of point: GPXPoint, before: StaticString, after: StaticString, opening: StaticString,
        closing: StaticString
    ) {
        let start = out.bytes.count
        out.raw(opening)
        let empty = out.bytes.count
        if let altitude = point.coordinate.altitude, altitude.isFinite {
            out.raw(before)
            out.raw("<ele>")
            out.decimal(altitude, MapSettings.altitudeDecimals)
            out.raw("</ele>")
            out.raw(after)
        }
        if let time = point.time { element("time", ISO8601.text(time), before, after) }
        details(of: point, [.magvar, .geoidheight], before, after)
        element("name", point.name, before, after)
        element("cmt", point.comment, before, after)
        element("desc", point.description, before, after)
        details(of: point, [.src], before, after)
        link(point.link, before, after)
        element("sym", point.symbol, before, after)
        element("type", point.type, before, after)
        details(
            of: point, [.fix, .sat, .hdop, .vdop, .pdop, .ageofdgpsdata, .dgpsid], before, after)
        extensions(of: point, before, after)
        if out.bytes.count == empty {
            out.cut(to: start)
            out.raw("/>\n")
        } else {
            out.raw(closing)
        }
    }

    private mutating func details(
        of point: GPXPoint, _ kinds: [GPXDetail.Kind], _ before: StaticString, _ after: StaticString
    ) {
        for detail in point.details where kinds.contains(detail.kind) {
            out.raw(before)
            out.markup("<\(detail.kind.rawValue)>")
            out.text(detail.text)
            out.markup("</\(detail.kind.rawValue)>")
            out.raw(after)
        }
    }

    /// The TrackPointExtension: temperatures, depth, heart rate, cadence.
    private mutating func extensions(
        of point: GPXPoint, _ before: StaticString, _ after: StaticString
    ) {
        let rate = point.heartRate.flatMap { GPXSettings.heartRates.contains($0) ? $0 : nil }
        let details = point.details.filter(\.kind.isExtension)
        guard rate != nil || !details.isEmpty else { return }
        out.raw(before)
        out.raw("<extensions><gpxtpx:TrackPointExtension>")
        for detail in details where detail.kind != .cad { write(ofExtension: detail) }
        if let rate {
            out.raw("<gpxtpx:hr>")
            out.decimal(rate, 0)
            out.raw("</gpxtpx:hr>")
        }
        for detail in details where detail.kind == .cad { write(ofExtension: detail) }
        out.raw("</gpxtpx:TrackPointExtension></extensions>")
        out.raw(after)
    }

    private mutating func write(ofExtension detail: GPXDetail) {
        out.markup("<gpxtpx:\(detail.kind.rawValue)>\(detail.text)</gpxtpx:\(detail.kind.rawValue)>")
    }

    private mutating func element(
        _ name: StaticString, _ value: String?, _ before: StaticString, _ after: StaticString
    ) {
        guard let value, !value.isEmpty else { return }
        out.raw(before)
        out.raw("<")
        out.raw(name)
        out.raw(">")
        out.text(value)
        out.raw("</")
        out.raw(name)
        out.raw(">")
        out.raw(after)
    }

    private mutating func link(_ address: String?, _ before: StaticString, _ after: StaticString) {
        guard let address, !address.isEmpty else { return }
        out.raw(before)
        out.raw("<link href=\"")
        out.text(address)
        out.raw("\"/>")
        out.raw(after)
    }
}
