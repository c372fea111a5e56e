/// Lines that cross the 180° meridian, which formats such as GeoJSON split there (RFC 7946, 3.1.9).
public enum Antimeridian {
    /// The intersection of the straight line between two coordinates, in degrees, with the meridian: the
    /// same point on either side of it, with interpolated altitude. `nil` for coordinates at most 180° of
    /// longitude apart.
    public static func cut(
        from start: Coordinate, to end: Coordinate
    ) -> (near: Coordinate, far: Coordinate)? {
        guard abs(end.longitude - start.longitude) > 180 else { return nil }
        let side = start.longitude < 0 ? -180.0 : 180.0
        let unwrapped = end.longitude + 2 * side
        let span = unwrapped - start.longitude
        let share = span == 0 ? 0 : (side - start.longitude) / span
        var altitude: Double?
        if let low = start.altitude, let high = end.altitude { altitude = low + (high - low) * share }
        let near = Coordinate(
            latitude: start.latitude + (end.latitude - start.latitude) * share, longitude: side,
            altitude: altitude)
        var far = near
        far.longitude = -side
        return (near, far)
    }

    /// The parts of a line, each of two points at least; a point on the meridian is not repeated.
    public static func parts(of points: [Coordinate]) -> [[Coordinate]] {
        var parts: [[Coordinate]] = [[]]
        for point in points {
            if let last = parts[parts.count - 1].last, let cut = cut(from: last, to: point) {
                if last.longitude != cut.near.longitude { parts[parts.count - 1].append(cut.near) }
                parts.append(point.longitude == cut.far.longitude ? [] : [cut.far])
            }
            parts[parts.count - 1].append(point)
        }
        return parts.filter { $0.count > 1 }
    }
}
