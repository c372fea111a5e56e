import Geodesy
import PluginKit

/// Magnetic north at a listener, now.
enum MagneticNorth {
    /// Degrees of magnetic north east of true north; `nil` where the model says none.
    static func declination(_ coordinate: Coordinate, _ context: Context) -> Double? {
        MagneticModel.declination(at: coordinate, year: year(context.clock.now.milliseconds))?.degrees
    }

    /// The decimal year of a time in milliseconds since 1970, to a day: the field changes by less than 0.01° in one.
    private static func year(_ milliseconds: Int64) -> Double {
        1970 + Double(milliseconds) / millisecondsOfYear
    }

    private static let millisecondsOfYear = 365.2425 * 86_400_000
}
