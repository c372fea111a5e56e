import Foundation
import Geodesy
import PluginKit

/// `to geojson`: a FeatureCollection of RFC 7946. Longitude comes first; a line across the antimeridian is cut in
/// two, as section 3.1.9 asks for.
struct GeoJSONWriter: DataWriter {
    let timeZone: TimeZone
    let compact: Bool

    func write(_ value: Value, to sink: TextSink) throws {
        let things = try GeoFeature.all(of: value)
        let text = JSONText(compact: compact)
        let colon = compact ? ":" : ": "
        try sink.write("{" + text.lineStart(1) + "\"type\"\(colon)\"FeatureCollection\",")
        try sink.write(text.lineStart(1) + "\"features\"\(colon)[")
        for (index, thing) in things.enumerated() {
            try Interruption.check()
            try sink.write((index > 0 ? "," : "") + text.lineStart(2))
            try text.write(try feature(thing), depth: 2, to: sink)
        }
        try sink.write((things.isEmpty ? "" : text.lineStart(1)) + "]" + text.lineStart(0) + "}")
    }

    private func feature(_ thing: GeoFeature) throws -> JSONNode {
        .object([
            ("type", .string("Feature")), ("geometry", geometry(thing.shape)),
            ("properties", try JSONNode(.record(thing.fields), timeZone: timeZone)),
        ])
    }

    private func geometry(_ shape: GeoFeature.Shape) -> JSONNode {
        switch shape {
        case .point(let place): return geometry("Point", position(place))
        case .line(let points):
            let parts = Antimeridian.parts(of: points).map { JSONNode.array($0.map(position)) }
            return parts.count == 1
                ? geometry("LineString", parts[0]) : geometry("MultiLineString", .array(parts))
        }
    }

    private func geometry(_ type: String, _ coordinates: JSONNode) -> JSONNode {
        .object([("type", .string(type)), ("coordinates", coordinates)])
    }

    private func position(_ place: Coordinate) -> JSONNode {
        let angles: [JSONNode] = [.init(degrees: place.longitude), .init(degrees: place.latitude)]
        return .array(angles + (place.altitude.map { [JSONNode(rounding: $0)] } ?? []))
    }
}
