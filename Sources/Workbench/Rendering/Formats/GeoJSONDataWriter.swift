import Formats
import Foundation
import Geodesy
import PluginKit

/// `to geojson`: a FeatureCollection of RFC 7946. Longitude comes first; a line across the antimeridian is cut in
/// two, as section 3.1.9 recommends.
struct GeoJSONDataWriter: DataWriter {
    let timeZone: TimeZone
    let compact: Bool

    func write(_ value: Value, to sink: TextSink) throws {
        let things = try GeoFeature.all(of: value)
        try GeoJSON.write(things, compact ? .compact : .fitted, to: sink.write) { thing in
            try Interruption.check()
            let geometry =
                switch thing.shape {
                case .point(let place): GeoJSON.point(place)
                case .line(let points): GeoJSON.line(Antimeridian.parts(of: points))
                case .area(let rings): GeoJSON.area(RingNesting.polygons(rings))
                }
            return GeoJSON.feature(
                geometry, properties: try JSONTree(.record(thing.fields), timeZone: timeZone))
        }
    }
}
