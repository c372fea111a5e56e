import Geodesy

/// Where a waypoint can have been made during a hike.
enum HikeSurroundings {
    /// Metres from a track's box within which a waypoint can have been made.
    static let reach = 1000.0

    /// The box of a track and what lies around it; `nil` without a valid place.
    static func box(around places: some Sequence<Coordinate>) -> BoundingBox? {
        guard let box = BoundingBox(around: places) else { return nil }
        let corners = [
            Coordinate(latitude: box.south, longitude: box.west),
            Coordinate(latitude: box.north, longitude: box.east),
        ]
        let around = corners.map { BoundingBox(center: $0, radius: reach) }
        return BoundingBox(
            south: around[0].south, west: around[0].west, north: around[1].north, east: around[1].east)
    }
}
