/// Angles of a table that are whole numbers and too large for degrees: parts of a degree, as receivers and autopilots count them.
struct WholeAngles {
    private var isWhole = true
    private var mostNorth = 0.0
    private var mostEast = 0.0

    /// Degrees of the units that are known.
    private static let units = [1e-7, 1e-6]
    /// Degrees of the largest latitude.
    private static let mostLatitude = 90.0

    /// Takes the angles of a row as they stand.
    mutating func add(_ latitude: Double, _ longitude: Double) {
        isWhole = isWhole && latitude == latitude.rounded() && longitude == longitude.rounded()
        mostNorth = max(mostNorth, abs(latitude))
        mostEast = max(mostEast, abs(longitude))
    }

    /// The units of which all of them are angles; empty for angles in degrees.
    private var possible: [Double] {
        guard isWhole, mostNorth > Self.mostLatitude || mostEast > LogSettings.turn else { return [] }
        return Self.units.filter {
            mostNorth * $0 <= Self.mostLatitude && mostEast * $0 <= LogSettings.mostDegrees
        }
    }

    /// The degrees of the unit, if it can be one only.
    var degreesOfUnit: Double? { possible.count == 1 ? possible[0] : nil }

    /// What is said where it can be several: `nil` otherwise.
    var words: String? {
        possible.count > 1
            ? "angles that are whole numbers too large for degrees: columns named lat_e6 and lon_e6, or lat_e7 and lon_e7, say their unit"
            : nil
    }

    /// What angles of a unit are called.
    static func words(of degrees: Double) -> String {
        "angles in units of 10\u{207B}\(degrees == units[0] ? "\u{2077}" : "\u{2076}") degrees"
    }
}
