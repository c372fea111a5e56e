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

    /// Whether it is valid and on the square of Web Mercator, which ends before the poles.
    public var isOnMercator: Bool { isValid && abs(latitude) <= GeodesySettings.webMercatorLimit }

    /// The same coordinate without its altitude.
    public var withoutAltitude: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

/// The ellipsoid of WGS 84.
enum Ellipsoid {
    /// The equatorial half axis in metres.
    static let axis = 6_378_137.0
    static let flattening = 1 / 298.257_223_563
    /// The square of the first eccentricity.
    static let squaredEccentricity = flattening * (2 - flattening)
}

/// Constants of the module's formulas.
public enum GeodesySettings {
    /// Radius of the sphere in metres, as used by every haversine in the workbench: the quadratic mean √((3a² + b²) / 4) of the
    /// half axes of WGS 84, the mean of its great circles. At the latitudes of most hikes it is nearer to the ellipsoid
    /// than R₁ = (2a + b) / 3 = 6,371,008.8 m, which is the mean over the whole Earth.
    public static let earthRadius = 6_372_797.6
    /// The latitude limit of Web Mercator's square, in degrees.
    public static let webMercatorLimit = 85.051_128_779_806_59
    /// Pixels along a side of a Web Mercator tile.
    public static let tileSize = 256.0
}
