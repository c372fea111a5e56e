import Geodesy

/// The signs at the ends of a way: the same on every map.
public enum WayEnds {
    /// Colour of the start, and of both ends of a round trip.
    static let startColor = Color(0x1B7F4B)
    /// Colour of the finish.
    static let finishColor = Color(0xC2255C)
    /// Ends nearer than this count as one, in metres: a receiver's error.
    public static let roundTrip = 30.0
    /// Radius of a sign in points.
    public static let radius = 7.0

    /// Signs at the first and last coordinate of a way whose parts are consecutive; none for fewer than two
    /// coordinates.
    public static func signs(
        _ parts: [[Coordinate]], start: String = "start", finish: String = "finish"
    ) -> [MapFeature] {
        let places = parts.joined().lazy.filter(\.isValid)
        guard places.dropFirst().first != nil, let first = places.first,
            let last = parts.last(where: { $0.contains(where: \.isValid) })?.last(where: \.isValid)
        else { return [] }
        guard first.distance(to: last) >= roundTrip else {
            return [sign(.roundTrip, at: first, startColor, "A", start + " and " + finish.lowercased())]
        }
        return [
            sign(.start, at: first, startColor, "A", start),
            sign(.finish, at: last, finishColor, "B", finish),
        ]
    }

    private static func sign(
        _ shape: PointShape, at coordinate: Coordinate, _ color: Color, _ symbol: Character, _ label: String
    ) -> MapFeature {
        .point(
            coordinate.withoutAltitude,
            MapPointStyle(color: color, radius: radius, shape: shape, symbol: symbol, label: label))
    }
}
