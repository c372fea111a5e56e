import Core
import Geodesy

extension Literal {
    /// Decimals of a coordinate: 10⁻⁶ degrees is a tenth of a metre.
    static let coordinateDecimals = 6

    /// A coordinate: `46.5012,7.9876`, with `,1250m` where the altitude is known.
    public static func coordinate(_ coordinate: Coordinate) -> String {
        let latitude = DecimalText.trimmed(coordinate.latitude, decimals: coordinateDecimals)
        let longitude = DecimalText.trimmed(coordinate.longitude, decimals: coordinateDecimals)
        guard let altitude = coordinate.altitude else { return latitude + "," + longitude }
        return "\(latitude),\(longitude),\(DecimalText.trimmed(altitude, decimals: 1))m"
    }

    /// A coordinate with all its digits, which reads back as the same.
    public static func exact(_ coordinate: Coordinate) -> String {
        let place = exact(coordinate.latitude) + "," + exact(coordinate.longitude)
        return coordinate.altitude.map { "\(place),\(exact($0))m" } ?? place
    }

    /// A box: `south,west,north,east`.
    public static func box(_ box: BoundingBox) -> String {
        [box.south, box.west, box.north, box.east]
            .map { DecimalText.trimmed($0, decimals: coordinateDecimals) }.joined(separator: ",")
    }
}
