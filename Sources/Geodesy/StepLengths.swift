import Foundation

/// The steps of a line: the great-circle distance from each point to the next, with the cosine of each latitude computed once.
public struct StepLengths {
    /// A point with what the haversine formula needs of it.
    struct Point {
        let latitude: Double
        let longitude: Double
        let cosine: Double

        init(_ place: Coordinate) {
            latitude = place.latitude.radians
            longitude = place.longitude
            cosine = cos(latitude)
        }

        /// Metres by the haversine formula.
        func distance(to other: Point) -> Double {
            let sinLat = sin((other.latitude - latitude) / 2)
            let sinLon = sin((other.longitude - longitude).radians / 2)
            let a = sinLat * sinLat + cosine * other.cosine * sinLon * sinLon
            return 2 * GeodesySettings.earthRadius * asin(min(1, a.squareRoot()))
        }
    }

    private var last: Point?

    /// Starts before the first point.
    public init() {}

    /// Metres from the previous point; 0 to the first.
    public mutating func next(_ place: Coordinate) -> Double {
        let point = Point(place)
        defer { last = point }
        return last?.distance(to: point) ?? 0
    }
}
