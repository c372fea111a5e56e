import CivilTime
import Geodesy
import PluginKit

/// `to gpx`: GPX 1.1 with a `wpt` for each place and a `trk` for each line, elements in the order of the schema.
struct GPXWriter: DataWriter {
    /// Decimals of metres.
    private static let elevationDecimals = 2
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Rutter" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
        xsi:schemaLocation="http://www.topografix.com/GPX/1/1 http://www.topografix.com/GPX/1/1/gpx.xsd">
        """

    func write(_ value: Value, to sink: TextSink) throws {
        let things = try PlacedThing.all(of: value)
        try sink.write(Self.head)
        // The schema wants all waypoints before all tracks.
        for thing in things {
            try Rows.checkCancelled()
            if case .point(let place) = thing.shape { try writeWaypoint(thing, place, sink) }
        }
        for thing in things {
            if case .line(let points) = thing.shape { try writeTrack(thing, points, sink) }
        }
        try sink.write("\n</gpx>")
    }

    private func writeWaypoint(_ thing: PlacedThing, _ place: Coordinate, _ sink: TextSink) throws {
        let category = thing.field("category").map(text)
        let elements = [
            element("ele", elevation(thing, place)), element("time", time(thing)),
            element("name", name(thing)),
            element("desc", thing.field("note").map(text)), element("sym", category),
            element("type", category),
        ].compactMap { $0 }
        let open = "\n  <wpt " + attributes(place)
        if elements.isEmpty { return try sink.write(open + "/>") }
        try sink.write(open + ">" + elements.map { "\n    " + $0 }.joined() + "\n  </wpt>")
    }

    private func writeTrack(_ thing: PlacedThing, _ points: [Coordinate], _ sink: TextSink) throws {
        let elements = [
            element("name", name(thing)), element("desc", thing.field("note").map(text)),
            element("type", thing.field("category").map(text)),
        ].compactMap { $0 }
        try sink.write("\n  <trk>" + elements.map { "\n    " + $0 }.joined() + "\n    <trkseg>")
        for point in points {
            try Rows.checkCancelled()
            let body = point.altitude.flatMap { element("ele", Self.elevation($0)) }
            let open = "\n      <trkpt " + attributes(point)
            try sink.write(open + (body.map { ">\($0)</trkpt>" } ?? "/>"))
        }
        try sink.write("\n    </trkseg>\n  </trk>")
    }

    // MARK: Parts

    private func attributes(_ place: Coordinate) -> String {
        let decimals = JSONNode.coordinateDecimals
        return "lat=\"\(Literal.decimal(place.latitude, decimals: decimals))\" "
            + "lon=\"\(Literal.decimal(place.longitude, decimals: decimals))\""
    }

    private func elevation(_ thing: PlacedThing, _ place: Coordinate) -> String? {
        switch thing.field("altitude") {
        case .quantity(let quantity)? where quantity.dimension == .length: Self.elevation(quantity.value)
        case let value?: value.asNumber.flatMap(Self.elevation)
        case nil: place.altitude.flatMap(Self.elevation)
        }
    }

    private static func elevation(_ metres: Double) -> String? {
        metres.isFinite ? Literal.decimal(metres, decimals: elevationDecimals) : nil
    }

    private func time(_ thing: PlacedThing) -> String? {
        switch thing.field("timestamp", "time") {
        case .date(let date)?: ISO8601.text(date)
        case .text(let text)?: ISO8601.timestamp(text).map { ISO8601.text($0) }
        default: nil
        }
    }

    private func name(_ thing: PlacedThing) -> String? { thing.field("label", "name").map(text) }

    private func text(_ value: Value) -> String { ValueText.inline(value) }

    private func element(_ name: String, _ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }
}

/// Text inside of XML.
enum XMLText {
    /// The text with markup escaped; characters that XML 1.0 cannot hold become U+FFFD.
    static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;".unicodeScalars
            case "<": out += "&lt;".unicodeScalars
            case ">": out += "&gt;".unicodeScalars
            case "\"": out += "&quot;".unicodeScalars
            case "\r": out += "&#13;".unicodeScalars
            case "\t", "\n": out.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": out.append("\u{FFFD}")
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}
