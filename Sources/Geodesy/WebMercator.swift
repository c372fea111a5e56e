import Foundation

/// Spherical Web Mercator (EPSG:3857) in units of the whole world: x 0…1 from 180° west, y 0…1 from the north.
public enum WebMercator {
    /// A point of the projected world square.
    public struct Point: Sendable, Hashable {
        /// 0 at 180° west, 1 at 180° east.
        public var x: Double
        /// 0 at the northern limit, 1 at the southern.
        public var y: Double
        /// Makes a point of the world square.
        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The projected point; latitudes beyond ±85.0511° are clamped to the limit.
    public static func project(_ coordinate: Coordinate) -> Point {
        let limit = GeodesySettings.webMercatorLimit
        let latitude = max(-limit, min(limit, coordinate.latitude)).radians
        return Point(x: (coordinate.longitude + 180) / 360, y: (1 - asinh(tan(latitude)) / .pi) / 2)
    }

    /// The coordinate of a projected point.
    public static func unproject(_ point: Point) -> Coordinate {
        Coordinate(
            latitude: atan(sinh(.pi * (1 - 2 * point.y))).degrees,
            longitude: Angle.longitude(point.x * 360 - 180))
    }

    /// Metres on the ground per pixel of a 256-pixel tile at a zoom and latitude.
    public static func metresPerPixel(zoom: Double, latitude: Double) -> Double {
        let circumference = 2 * Double.pi * GeodesySettings.earthRadius
        return circumference * cos(latitude.radians) / (GeodesySettings.tileSize * exp2(zoom))
    }
}
