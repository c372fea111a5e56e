import Formats
import PluginKit

/// `to kml`: KML 2.2 with a placemark for each point and line. Fields of a point without an element of their own are its data.
struct KMLDataWriter: DataWriter {
    func write(_ value: Value, to sink: TextSink) throws {
        var document = MapDocument()
        for thing in try GeoFeature.all(of: value) {
            switch thing.shape {
            case .point(let place):
                document.features.append(
                    .place(MapPlace(point: GPXParts.point(thing, place), properties: GPXParts.others(thing))))
            case .line(let points):
                document.features.append(.line(GPXParts.track(thing, points), .track, id: nil))
            case .area:
                throw CommonErrors.noPlace("areas are not written as KML here", fix: "… | to geojson")
            }
        }
        let text = String(decoding: try KMLWriter.bytes(document) { try Interruption.check() }, as: UTF8.self)
        try sink.write(String(text.hasSuffix("\n") ? text.dropLast() : text[...]))
    }
}
