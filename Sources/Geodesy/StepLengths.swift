import Foundation

/// The steps of a line: the great-circle distance from each point to the next, with the cosine of each latitude computed once.
public struct StepLengths {
    /// A point with what the haversine formula needs of it.
    struct Point {
        let latitude: Double
        let longitude: Double
        let cosine: Double

        init(_ coordinate: Coordinate) {
            latitude = coordinate.latitude.radians
            longitude = coordinate.longitude
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
    public mutating func next(_ coordinate: Coordinate) -> Double {
        let point = Point(coordinate)
        defer { last = point }
        return last?.distance(to: point) ?? 0
    }
}
