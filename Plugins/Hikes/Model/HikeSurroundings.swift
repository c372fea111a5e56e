import Geodesy

/// The area in which a waypoint counts as created during a hike.
enum HikeSurroundings {
    /// Metres by which that area extends beyond the track's box.
    static let reach = 1000.0

    /// The box of a track, extended by `reach`; `nil` without a valid coordinate.
    static func box(around coordinates: some Sequence<Coordinate>) -> BoundingBox? {
        guard let box = BoundingBox(around: coordinates) else { return nil }
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.north, longitude: box.east),
        ]
        let around = corners.map { BoundingBox(center: $0, radius: reach) }
        return BoundingBox(
            south: around[0].south, west: around[0].west, north: around[1].north, east: around[1].east)
    }
}
