import CivilTime
import Formats
import Geodesy
import PluginKit

/// `to gpx`: GPX 1.1 with a `wpt` for each point and a `trk` for each line.
struct GPXDataWriter: DataWriter {
    func write(_ value: Value, to sink: TextSink) throws {
        var document = GPXDocument()
        for thing in try GeoFeature.all(of: value) {
            switch thing.shape {
            case .point(let place): document.waypoints.append(point(thing, place))
            case .line(let points): document.tracks.append(track(thing, points))
            case .area: throw CommonErrors.noPlace("GPX has no areas", fix: "… | to geojson")
            }
        }
        let text = GPXWriter.text(document)
        try sink.write(String(text.hasSuffix("\n") ? text.dropLast() : text[...]))
    }

    private func point(_ thing: GeoFeature, _ coordinate: Coordinate) -> GPXPoint {
        var coordinate = coordinate
        coordinate.altitude = altitude(thing) ?? coordinate.altitude
        let category = thing.field("category").map(text)
        return GPXPoint(
            coordinate: coordinate, time: time(thing), name: name(thing),
            description: thing.field("note").map(text), symbol: category, type: category)
    }

    private func track(_ thing: GeoFeature, _ points: [Coordinate]) -> GPXLine {
        GPXLine(
            name: name(thing), description: thing.field("note").map(text),
            type: thing.field("category").map(text), segments: [points.map { GPXPoint(coordinate: $0) }])
    }

    private func altitude(_ thing: GeoFeature) -> Double? {
        switch thing.field("altitude") {
        case .quantity(let quantity)? where quantity.dimension == .length: quantity.value
        case let value: value?.asNumber
        }
    }

    private func time(_ thing: GeoFeature) -> Timestamp? {
        switch thing.field("timestamp", "time") {
        case .date(let date)?: date
        case .text(let text)?: ISO8601.timestamp(text)
        default: nil
        }
    }

    private func name(_ thing: GeoFeature) -> String? {
        thing.field("label", "name", "stop_name", "title").map(text)
    }

    private func text(_ value: Value) -> String { ValueText.inline(value) }
}
