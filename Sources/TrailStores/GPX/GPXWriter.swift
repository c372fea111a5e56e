import CivilTime
import Foundation
import Geodesy

/// Writes GPX 1.1, its elements in the order of the schema. The same document always gives the same bytes.
public struct GPXWriter {
    /// Decimals of an angle: 10⁻⁷ degrees is a centimetre.
    private static let angleDecimals = 7
    /// Decimals of an altitude: a millimetre.
    private static let altitudeDecimals = 3

    private var out = ""

    /// Points written between two looks at cancellation.
    private static let checkInterval = 512

    /// The text of a document.
    public static func text(_ document: GPXDocument) -> String { text(document) { _ in } }

    /// The same. `check` is told the number of waypoints written, every few hundred, and stops the whole
    /// by throwing.
    public static func text(_ document: GPXDocument, check: (Int) throws -> Void) rethrows -> String {
        var writer = GPXWriter()
        try writer.write(document, check)
        return writer.out
    }

    private mutating func write(_ document: GPXDocument, _ check: (Int) throws -> Void) rethrows {
        out = """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1"\(extensionNamespace(document))>

            """
        writeMetadata(document)
        for (index, point) in document.waypoints.enumerated() {
            if index % Self.checkInterval == 0 { try check(index) }
            write(point, as: "wpt", indent: "  ")
        }
        for route in document.routes { write(route: route) }
        for track in document.tracks { write(track: track) }
        out += "</gpx>\n"
    }

    private func extensionNamespace(_ document: GPXDocument) -> String {
        let points = document.tracks.lazy.flatMap(\.segments).flatMap { $0 }
        guard points.contains(where: { $0.heartRate != nil }) else { return "" }
        return " xmlns:gpxtpx=\"http://www.garmin.com/xmlschemas/TrackPointExtension/v1\""
    }

    private mutating func writeMetadata(_ document: GPXDocument) {
        if document.name == nil && document.time == nil { return }
        out += "  <metadata>\n"
        element("name", document.name, indent: "    ")
        element("time", document.time.map { ISO8601.text($0) }, indent: "    ")
        out += "  </metadata>\n"
    }

    private mutating func write(route: GPXLine) {
        out += "  <rte>\n"
        writeHead(route)
        for point in route.segments.joined() { write(point, as: "rtept", indent: "    ") }
        out += "  </rte>\n"
    }

    private mutating func write(track: GPXLine) {
        out += "  <trk>\n"
        writeHead(track)
        for segment in track.segments {
            out += "    <trkseg>\n"
            for point in segment { write(point, as: "trkpt", indent: "      ") }
            out += "    </trkseg>\n"
        }
        out += "  </trk>\n"
    }

    private mutating func writeHead(_ line: GPXLine) {
        element("name", line.name, indent: "    ")
        element("desc", line.description, indent: "    ")
        element("type", line.type, indent: "    ")
    }

    private mutating func write(_ point: GPXPoint, as name: String, indent: String) {
        let place = point.coordinate
        let latitude = Self.decimal(place.latitude, Self.angleDecimals)
        let longitude = Self.decimal(place.longitude, Self.angleDecimals)
        out += "\(indent)<\(name) lat=\"\(latitude)\" lon=\"\(longitude)\""
        let before = out.utf8.count
        out += ">\n"
        let inner = indent + "  "
        element(
            "ele", place.altitude.flatMap(Self.finite).map { Self.decimal($0, Self.altitudeDecimals) },
            indent: inner)
        element("time", point.time.map { ISO8601.text($0) }, indent: inner)
        element("name", point.name, indent: inner)
        element("desc", point.description, indent: inner)
        element("sym", point.symbol, indent: inner)
        element("type", point.type, indent: inner)
        if let rate = point.heartRate.flatMap(Self.finite) {
            out +=
                "\(inner)<extensions><gpxtpx:TrackPointExtension><gpxtpx:hr>\(Self.decimal(rate, 0))</gpxtpx:hr>"
            out += "</gpxtpx:TrackPointExtension></extensions>\n"
        }
        if out.utf8.count == before + 2 {
            out.removeLast(2)
            out += "/>\n"
        } else {
            out += "\(indent)</\(name)>\n"
        }
    }

    private mutating func element(_ name: String, _ value: String?, indent: String) {
        guard let value, !value.isEmpty else { return }
        out += "\(indent)<\(name)>\(Self.escaped(value))</\(name)>\n"
    }

    /// The format has no word for a number that is none.
    private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

    private static func decimal(_ value: Double, _ decimals: Int) -> String {
        var text = String(format: "%.\(decimals)f", value)
        guard text.contains(".") else { return text == "-0" ? "0" : text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// Text for XML 1.0, which cannot hold most control characters at all: they are left out.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
