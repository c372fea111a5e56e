import Formats
import PluginKit

/// `to gpx`: GPX 1.1 with a `wpt` for each point and a `trk` for each line.
struct GPXDataWriter: DataWriter {
    /// Takes what was left out, in words.
    var notice: (String) -> Void = { _ in }

    func write(_ value: Value, to sink: TextSink) throws {
        var document = GPXDocument()
        var unread: [(name: String, count: Int)] = []
        for thing in try GeoFeature.all(of: value) {
            switch thing.shape {
            case .point(let place):
                document.waypoints.append(GPXParts.point(thing, place))
                for name in GPXParts.unread(thing) {
                    let index = unread.firstIndex { $0.name == name } ?? unread.endIndex
                    if index == unread.endIndex { unread.append((name, 0)) }
                    unread[index].count += 1
                }
            case .line(let points): document.tracks.append(GPXParts.track(thing, points))
            case .area: throw CommonErrors.noPlace("GPX has no areas", fix: "… | to geojson")
            }
        }
        for (name, count) in unread {
            notice(
                "`\(name)` is left out of \(count, of: "point"): GPX takes "
                    + (name.hasPrefix("time") ? "times such as 2026-01-01T10:00:00Z" : "metres"))
        }
        let text = GPXWriter.text(document)
        try sink.write(String(text.hasSuffix("\n") ? text.dropLast() : text[...]))
    }
}
