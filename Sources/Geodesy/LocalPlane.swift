import Foundation

/// A point or a vector of a plane.
public struct PlanePoint: BitwiseCopyable, Sendable, Hashable {
    /// To the east.
    public var x: Double
    /// To the north.
    public var y: Double

    /// A point of a plane.
    @inlinable @inline(__always)
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The nearest point of a segment to the plane's origin: the square of its distance, and its share of the segment,
    /// 0…1.
    @inlinable @inline(__always)
    public static func nearest(from start: PlanePoint, along step: PlanePoint) -> (
        square: Double, share: Double
    ) {
        let length = step.x * step.x + step.y * step.y
        let share =
            length > 0 ? Swift.max(0, Swift.min(1, -(start.x * step.x + start.y * step.y) / length)) : 0
        let (x, y) = (start.x + share * step.x, start.y + share * step.y)
        return (x * x + y * y, share)
    }

    /// The nearest point of the segment between two points to the plane's origin.
    @inlinable @inline(__always)
    public static func nearest(from start: PlanePoint, to end: PlanePoint) -> (square: Double, share: Double)
    {
        nearest(from: start, along: PlanePoint(x: end.x - start.x, y: end.y - start.y))
    }

    /// The square of the distance from this point to the segment between two points.
    @inlinable @inline(__always)
    public func square(from start: PlanePoint, to end: PlanePoint) -> Double {
        PlanePoint.nearest(
            from: PlanePoint(x: start.x - x, y: start.y - y),
            along: PlanePoint(x: end.x - start.x, y: end.y - start.y)
        ).square
    }
}

/// The plane around a coordinate: an equirectangular projection that is true to scale at its origin, for distances of a
/// few kilometres. Longitudes are taken the shorter way, so that the antimeridian is no special case.
public struct LocalPlane: BitwiseCopyable, Sendable {
    /// Metres in a degree of a great circle.
    public static let metresPerDegree = GeodesySettings.earthRadius * Double.pi / 180

    /// The origin's degrees north.
    public let latitude: Double
    /// The origin's degrees east.
    public let longitude: Double
    /// Units of the plane in a degree of latitude.
    public let northScale: Double
    /// Units of the plane in a degree of longitude.
    public let eastScale: Double

    /// The plane around a coordinate, in metres, or in other units of which a degree of latitude has a number.
    @inlinable @inline(__always)
    public init(at origin: Coordinate, unitsPerDegree: Double = metresPerDegree) {
        latitude = origin.latitude
        longitude = origin.longitude
        northScale = unitsPerDegree
        eastScale = unitsPerDegree * cos(origin.latitude.radians)
    }

    /// The point of a latitude and longitude in degrees.
    @inlinable @inline(__always)
    public func point(_ latitude: Double, _ longitude: Double) -> PlanePoint {
        var east = longitude - self.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return PlanePoint(x: east * eastScale, y: (latitude - self.latitude) * northScale)
    }

    /// The point of a coordinate.
    @inlinable @inline(__always)
    public func point(_ coordinate: Coordinate) -> PlanePoint {
        point(coordinate.latitude, coordinate.longitude)
    }

    /// Metres from a coordinate to the segment between two others, in the plane around the segment's start.
    @inlinable
    public static func distance(_ coordinate: Coordinate, from start: Coordinate, to end: Coordinate)
        -> Double
    {
        let plane = LocalPlane(at: start)
        return plane.point(coordinate).square(from: PlanePoint(x: 0, y: 0), to: plane.point(end)).squareRoot()
    }
}
