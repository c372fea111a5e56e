import CivilTime
import Foundation
import Geodesy

/// Writes GPX 1.1, its elements in schema order (http://www.topografix.com/GPX/1/1/gpx.xsd). Equal documents
/// produce equal bytes. A coordinate on the 180° meridian is written as −180°, because the schema has no
/// longitude of 180. Measurements that the Garmin extensions cannot hold are written as elements of the
/// namespace `urn:rutter:gpx`.
public struct GPXWriter {
    /// Approximate bytes of a track point.
    private static let pointSize = 96

    private var out: XMLOutput
    /// Number of points written.
    private var written = 0

    /// The text of a document.
    public static func text(_ document: GPXDocument) -> String { text(document) { _ in } }

    /// The text of a document. `check` receives the number of points written, every thousand points, and
    /// cancels by throwing.
    public static func text(_ document: GPXDocument, check: (Int) throws -> Void) rethrows -> String {
        String(decoding: try bytes(document, check: check), as: UTF8.self)
    }

    /// The UTF-8 file of a document. `check` receives the number of points written, every thousand points,
    /// and cancels by throwing.
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
        for prefix in GPXExtension.prefixes(of: document) {
            out.markup(" xmlns:\(prefix.name)=\"\(prefix.space)\"")
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
        markup(document.extensions, "  ", "\n")
        out.raw("</gpx>\n")
    }

    private mutating func writeMetadata(_ document: GPXDocument) {
        let start = out.bytes.count
        out.raw("  <metadata>\n")
        let empty = out.bytes.count
        element("name", document.name, "    ", "\n")
        element("desc", document.description, "    ", "\n")
        writeAuthor(of: document)
        if let copyright = document.copyright {
            out.raw("    <copyright author=\"")
            out.text(copyright.author)
            out.raw("\">")
            element("year", copyright.year, "", "")
            element("license", copyright.license, "", "")
            out.raw("</copyright>\n")
        }
        for link in document.links { write(link, "    ", "\n") }
        if let time = document.time { element("time", ISO8601.text(time), "    ", "\n") }
        element("keywords", document.keywords, "    ", "\n")
        if out.bytes.count == empty { out.cut(to: start) } else { out.raw("  </metadata>\n") }
    }

    private mutating func writeAuthor(of document: GPXDocument) {
        let email = document.authorEmail.map { $0.split(separator: "@", maxSplits: 1) } ?? []
        guard document.author?.isEmpty == false || email.count == 2 || document.authorLink != nil else {
            return
        }
        out.raw("    <author>")
        element("name", document.author, "", "")
        if email.count == 2 {
            out.raw("<email id=\"")
            out.text(String(email[0]))
            out.raw("\" domain=\"")
            out.text(String(email[1]))
            out.raw("\"/>")
        }
        if let link = document.authorLink { write(link, "", "") }
        out.raw("</author>\n")
    }

    private mutating func writeHead(_ line: GPXLine) {
        element("name", line.name, "    ", "\n")
        element("cmt", line.comment, "    ", "\n")
        element("desc", line.description, "    ", "\n")
        element("src", line.source, "    ", "\n")
        for link in line.links { write(link, "    ", "\n") }
        if let number = line.number, number >= 0 { element("number", String(number), "    ", "\n") }
        element("type", line.type, "    ", "\n")
        markup(line.extensions, "    ", "\n")
    }

    /// Writes elements of other namespaces, as read.
    private mutating func markup(_ extensions: String?, _ before: StaticString, _ after: StaticString) {
        guard let extensions, !extensions.isEmpty else { return }
        out.raw(before)
        out.raw("<extensions>")
        out.markup(extensions)
        out.raw("</extensions>")
        out.raw(after)
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

    private mutating func writePlace(_ coordinate: Coordinate) {
        out.raw(" lat=\"")
        out.decimal(coordinate.latitude, MapSettings.angleDecimals)
        out.raw("\" lon=\"")
        let isLimit = coordinate.longitude >= 180 - 0.5e-7
        out.decimal(isLimit ? -180 : coordinate.longitude, MapSettings.angleDecimals)
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
        for link in point.links { write(link, before, after) }
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

    /// Writes the Garmin extensions, the remaining measurements, and foreign elements.
    private mutating func extensions(
        of point: GPXPoint, _ before: StaticString, _ after: StaticString
    ) {
        let details = point.details.filter(\.kind.isExtension)
        guard point.sensors != PointSensors() || !details.isEmpty || point.extensions?.isEmpty == false else {
            return
        }
        out.raw(before)
        out.raw("<extensions>")
        if !details.isEmpty || GPXExtension.garmin.contains(where: { $0.holds(point.sensors) }) {
            out.raw("<gpxtpx:TrackPointExtension>")
            for entry in GPXExtension.garmin {
                if entry.name == "hr" { for detail in details { write(ofExtension: detail) } }
                if entry.holds(point.sensors) { write(entry, point.sensors) }
            }
            out.raw("</gpxtpx:TrackPointExtension>")
        }
        for entry in GPXExtension.further(point.sensors) { write(entry, point.sensors) }
        if let extensions = point.extensions { out.markup(extensions) }
        out.raw("</extensions>")
        out.raw(after)
    }

    private mutating func write(_ entry: GPXExtension, _ sensors: PointSensors) {
        guard let value = sensors[entry.kind] else { return }
        out.markup("<\(entry.prefix):\(entry.name)>")
        out.decimal(value, entry.decimals)
        out.markup("</\(entry.prefix):\(entry.name)>")
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

    private mutating func write(_ link: WebLink, _ before: StaticString, _ after: StaticString) {
        guard !link.address.isEmpty else { return }
        out.raw(before)
        out.raw("<link href=\"")
        out.text(link.address)
        if link.text?.nonEmpty == nil, link.type?.nonEmpty == nil {
            out.raw("\"/>")
        } else {
            out.raw("\">")
            element("text", link.text, "", "")
            element("type", link.type, "", "")
            out.raw("</link>")
        }
        out.raw(after)
    }
}
