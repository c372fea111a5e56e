/// Latitude and longitude that stand in each other's place, where that shows: a latitude beyond 90° beside a longitude within it.
enum SwappedAngles {
    /// What is said of such points, beside that they are left out.
    static let said =
        "latitudes beyond 90° beside longitudes within it: perhaps the two are exchanged"

    /// Whether two angles in degrees are possible only the other way round.
    static func are(_ latitude: Double?, _ longitude: Double?) -> Bool {
        guard let latitude, let longitude else { return false }
        return abs(latitude) > most && abs(latitude) <= LogSettings.mostDegrees && abs(longitude) <= most
    }

    /// Degrees of the largest latitude.
    private static let most = 90.0
}
