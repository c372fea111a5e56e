import Foundation

extension Double {
    /// This number of degrees in radians.
    @inlinable public var radians: Double { self * (.pi / 180) }
    /// This number of radians in degrees.
    @inlinable public var degrees: Double { self * (180 / .pi) }
}

extension Coordinate {
    /// Great-circle distance in metres by the haversine formula, which is precise for short distances.
    public func distance(to other: Coordinate) -> Double {
        StepLengths.Point(self).distance(to: StepLengths.Point(other))
    }

    /// Initial great-circle bearing to another coordinate, in degrees clockwise from north, 0 ≤ bearing <
    /// 360.
    ///
    /// The bearing to the same coordinate is 0.
    public func bearing(to other: Coordinate) -> Double {
        let lat1 = latitude.radians
        let lat2 = other.latitude.radians
        let deltaLon = (other.longitude - longitude).radians
        let y = sin(deltaLon) * cos(lat2)
        let x = cos(lat1) * sin(lat2) - sin(lat1) * cos(lat2) * cos(deltaLon)
        if x == 0 && y == 0 { return 0 }
        return Angle.normalized(atan2(y, x).degrees)
    }

    /// The destination after `distance` metres along the great circle with initial `bearing` in degrees.
    public func destination(bearing: Double, distance: Double) -> Coordinate {
        let angular = distance / GeodesySettings.earthRadius
        let lat1 = latitude.radians
        let theta = bearing.radians
        let sinLat2 = sin(lat1) * cos(angular) + cos(lat1) * sin(angular) * cos(theta)
        let lat2 = asin(max(-1, min(1, sinLat2)))
        let y = sin(theta) * sin(angular) * cos(lat1)
        let x = cos(angular) - sin(lat1) * sinLat2
        let lon2 = longitude + atan2(y, x).degrees
        return Coordinate(latitude: lat2.degrees, longitude: Angle.longitude(lon2))
    }

    /// The midpoint of the great circle to another coordinate.
    public func midpoint(to other: Coordinate) -> Coordinate {
        destination(bearing: bearing(to: other), distance: distance(to: other) / 2)
    }
}

/// Arithmetic on angles in degrees.
public enum Angle {
    /// The same direction in 0 ≤ angle < 360.
    public static func normalized(_ degrees: Double) -> Double {
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let positive = rest < 0 ? rest + 360 : rest
        return positive >= 360 ? 0 : positive
    }

    /// The turn from one direction to another, −180 < angle ≤ 180, positive clockwise (to the right).
    public static func difference(from: Double, to: Double) -> Double {
        let delta = normalized(to - from)
        return delta > 180 ? delta - 360 : delta
    }

    /// A longitude normalised to −180 ≤ longitude ≤ 180; values already in range are unchanged.
    public static func longitude(_ degrees: Double) -> Double {
        if degrees >= -180 && degrees <= 180 { return degrees }
        let rest = normalized(degrees)
        return rest > 180 ? rest - 360 : rest
    }
}
