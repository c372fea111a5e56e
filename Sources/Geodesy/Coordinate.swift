/// A coordinate on the WGS 84 ellipsoid.
///
/// Latitude and longitude are degrees, latitude first, north and east positive. Altitude is metres above
/// sea level if known. Initialisation does not check the ranges, so that the values of a damaged store can
/// be shown; see `isValid`.
public struct Coordinate: Sendable, Hashable {
    /// Degrees north, −90…90.
    public var latitude: Double
    /// Degrees east, −180…180.
    public var longitude: Double
    /// Metres above sea level; `nil` if unknown.
    public var altitude: Double?

    /// Creates a coordinate from degrees and, if known, metres.
    public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Whether both angles are finite and in range.
    public var isValid: Bool {
        latitude.isFinite && longitude.isFinite && abs(latitude) <= 90 && abs(longitude) <= 180
    }

    /// The same coordinate without its altitude.
    public var withoutAltitude: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// Constants of the module's formulas.
public enum GeodesySettings {
    /// Mean radius of the Earth in metres (IUGG R₁), as used by every haversine in the workbench.
    public static let earthRadius = 6_371_008.8
    /// The latitude limit of Web Mercator's square, in degrees.
    public static let webMercatorLimit = 85.051_128_779_806_59
    /// Pixels along a side of a Web Mercator tile.
    public static let tileSize = 256.0
}
