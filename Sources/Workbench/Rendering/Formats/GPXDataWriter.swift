import Formats
import PluginKit

/// `to gpx`: GPX 1.1 with a `wpt` for each point and a `trk` for each line.
struct GPXDataWriter: DataWriter {
    func write(_ value: Value, to sink: TextSink) throws {
        var document = GPXDocument()
        for thing in try GeoFeature.all(of: value) {
            switch thing.shape {
            case .point(let place): document.waypoints.append(GPXParts.point(thing, place))
            case .line(let points): document.tracks.append(GPXParts.track(thing, points))
            case .area: throw CommonErrors.noPlace("GPX has no areas", fix: "… | to geojson")
            }
        }
        let text = GPXWriter.text(document)
        try sink.write(String(text.hasSuffix("\n") ? text.dropLast() : text[...]))
    }
}
