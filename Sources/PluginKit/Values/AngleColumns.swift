/// The two columns that hold latitude and longitude, by their names: `lat` and `lon`, `latitude` and `longitude`, `stop_lat` and
/// `stop_lon`.
struct AngleColumns: Sendable, Hashable {
    /// The column of the latitude.
    let latitude: String
    /// The column of the longitude.
    let longitude: String

    /// The first pair among some columns; `nil` if there is none.
    init?(in columns: [String]) {
        for name in columns {
            let lower = name.lowercased()
            for north in Self.latitudes where lower.hasSuffix(north) {
                let start = lower.dropLast(north.count)
                // `flat` is no latitude.
                guard start.last?.isLetter != true else { continue }
                let found = columns.first { other in
                    Self.longitudes.contains { other.lowercased() == start + $0 }
                }
                if let found {
                    (latitude, longitude) = (name, found)
                    return
                }
            }
        }
        return nil
    }

    private static let latitudes = ["latitude", "lat"]
    private static let longitudes = ["longitude", "long", "lng", "lon"]
}
