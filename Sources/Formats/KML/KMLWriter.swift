import CivilTime
import Foundation
import Geodesy

/// Writes map documents as KML 2.2 (OGC 07-147r2): a placemark for each waypoint, track and route, elements
/// in schema order. Values without a KML element (the times and heart rates of a track's points, categories,
/// comments) are written to `ExtendedData`, as KML intends.
public struct KMLWriter {
    /// Colours in KML's order: alpha, blue, green, red.
    private static let trackColor = "ff0f48d9"
    private static let routeColor = "ffe17d2f"
    private static let lineWidth = "3"

    private var out = XMLOutput()

    /// The UTF-8 file; `check` is called for each placemark, and cancels by throwing.
    public static func bytes(_ document: MapDocument, check: () throws -> Void) rethrows -> [UInt8] {
        var writer = KMLWriter()
        try writer.write(document, check)
        return writer.out.bytes
    }

    private mutating func write(_ document: MapDocument, _ check: () throws -> Void) rethrows {
        out.raw(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:atom="http://www.w3.org/2005/Atom">
              <Document>

            """)
        element("name", document.name, "    ")
        if let author = document.author, !author.isEmpty {
            out.raw("    <atom:author><atom:name>")
            out.text(author)
            out.raw("</atom:name></atom:author>\n")
        }
        element("description", document.description, "    ")
        lineStyle("track", Self.trackColor)
        lineStyle("route", Self.routeColor)
        for feature in document.features {
            try check()
            switch feature {
            case .place(let place): write(place)
            case .line(let line, .track, let id): write(line, "track", id: id)
            case .line(let line, .route, let id): write(line, "route", id: id)
            }
        }
        out.raw("  </Document>\n</kml>\n")
    }

    private mutating func lineStyle(_ name: StaticString, _ color: String) {
        out.raw("    <Style id=\"")
        out.raw(name)
        out.raw("\"><LineStyle><color>")
        out.markup(color)
        out.raw("</color><width>")
        out.markup(Self.lineWidth)
        out.raw("</width></LineStyle></Style>\n")
    }

    // MARK: Placemarks

    private mutating func write(_ place: MapPlace) {
        let point = place.point
        out.raw("    <Placemark>\n")
        element("name", point.name, "      ")
        element("description", point.description, "      ")
        if let time = point.time {
            out.raw("      <TimeStamp><when>")
            out.markup(ISO8601.text(time))
            out.raw("</when></TimeStamp>\n")
        }
        let rate = point.heartRate.flatMap { $0.isFinite ? Self.number($0) : nil }
        data(
            [
                ("kind", "waypoint"), ("id", place.id?.uuidString), ("type", point.type),
                ("sym", point.symbol),
                ("cmt", point.comment), ("link", point.link), ("heartRate", rate),
            ] + place.properties.map { ($0.name, $0.value) })
        out.raw("      <Point>")
        mode(isAbsolute: point.coordinate.altitude != nil)
        out.raw("<coordinates>")
        write(point.coordinate)
        out.raw("</coordinates></Point>\n    </Placemark>\n")
    }

    private mutating func write(_ line: GPXLine, _ kind: StaticString, id: UUID?) {
        out.raw("    <Placemark>\n")
        element("name", line.name, "      ")
        element("description", line.description, "      ")
        let times = line.segments.joined().lazy.compactMap(\.time)
        if let begin = times.min(), let end = times.max() {
            out.raw("      <TimeSpan><begin>")
            out.markup(ISO8601.text(begin))
            out.raw("</begin><end>")
            out.markup(ISO8601.text(end))
            out.raw("</end></TimeSpan>\n")
        }
        out.raw("      <styleUrl>#")
        out.raw(kind)
        out.raw("</styleUrl>\n")
        // A LineString has two positions at least (OGC 12-007r2, 10.7).
        let segments = line.segments.filter { !$0.isEmpty }.map { $0.count == 1 ? [$0[0], $0[0]] : $0 }
        data([
            ("kind", "\(kind)"), ("id", id?.uuidString), ("type", line.type), ("cmt", line.comment),
            ("src", line.source), ("link", line.link), ("number", line.number.map(String.init)),
            // Lines of which some altitudes are unknown lie on the ground in viewers; the known ones are kept.
            ("altitudeMode", segments.contains(where: Self.isPartial) ? "absolute" : nil),
            ("times", Self.list(segments) { $0.time.map { ISO8601.text($0) } }),
            (
                "heartRates",
                Self.list(segments) { $0.heartRate.flatMap { $0.isFinite ? Self.number($0) : nil } }
            ),
        ])
        if segments.count == 1 {
            write(segments[0], "      ")
        } else if !segments.isEmpty {
            out.raw("      <MultiGeometry>\n")
            for segment in segments { write(segment, "        ") }
            out.raw("      </MultiGeometry>\n")
        }
        out.raw("    </Placemark>\n")
    }

    private static func isPartial(_ segment: [GPXPoint]) -> Bool {
        let known = segment.count { $0.coordinate.altitude != nil }
        return known > 0 && known < segment.count
    }

    private mutating func write(_ segment: [GPXPoint], _ indent: StaticString) {
        out.raw(indent)
        out.raw("<LineString>")
        let isAbsolute = segment.allSatisfy { $0.coordinate.altitude != nil }
        if !isAbsolute { out.raw("<tessellate>1</tessellate>") }
        mode(isAbsolute: isAbsolute)
        out.raw("<coordinates>")
        for (index, point) in segment.enumerated() {
            if index > 0 { out.raw("\n") }
            write(point.coordinate)
        }
        out.raw("</coordinates></LineString>\n")
    }

    // MARK: Parts

    /// A text for each point, separated by spaces, with a bar between segments; `-` if missing. `nil` if no
    /// point has one.
    private static func list(_ segments: [[GPXPoint]], _ text: (GPXPoint) -> String?) -> String? {
        guard segments.contains(where: { $0.contains { text($0) != nil } }) else { return nil }
        return segments.map { $0.map { text($0) ?? "-" }.joined(separator: " ") }.joined(separator: " | ")
    }

    private static func number(_ value: Double) -> String {
        JSONTree(value).compactText
    }

    private mutating func data(_ fields: [(String, String?)]) {
        out.raw("      <ExtendedData>\n")
        for (name, value) in fields {
            guard let value, !value.isEmpty else { continue }
            out.raw("        <Data name=\"")
            out.text(name)
            out.raw("\"><value>")
            out.text(value)
            out.raw("</value></Data>\n")
        }
        out.raw("      </ExtendedData>\n")
    }

    private mutating func mode(isAbsolute: Bool) {
        if isAbsolute { out.raw("<altitudeMode>absolute</altitudeMode>") }
    }

    private mutating func write(_ coordinate: Coordinate) {
        out.decimal(coordinate.longitude, MapSettings.angleDecimals)
        out.raw(",")
        out.decimal(coordinate.latitude, MapSettings.angleDecimals)
        guard let altitude = coordinate.altitude, altitude.isFinite else { return }
        out.raw(",")
        out.decimal(altitude, MapSettings.altitudeDecimals)
    }

    private mutating func element(_ name: StaticString, _ value: String?, _ indent: StaticString) {
        guard let value, !value.isEmpty else { return }
        out.raw(indent)
        out.raw("<")
        out.raw(name)
        out.raw(">")
        out.text(value)
        out.raw("</")
        out.raw(name)
        out.raw(">\n")
    }
}
