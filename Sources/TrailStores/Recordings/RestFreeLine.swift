import Formats
import Geodesy

/// The line of a recording, in which each rest is one point: while one rests, a receiver wanders about the place, and a plan of
/// its ways would be full of turns.
package struct RestFreeLine: Sendable {
    /// The points.
    package let points: [Coordinate]
    /// The number of rests.
    package let rests: Int

    /// The line of recorded points. Without times, and in a plan that was not recorded, it has no rests.
    package init(_ recorded: [GPXPoint]) {
        let stays = Motion.stays(
            recorded.map { TrackPoint(coordinate: $0.coordinate, time: $0.time) }, .standard)
        var points: [Coordinate] = []
        var next = 0
        for stay in stays {
            points += recorded[next..<stay.lowerBound].map(\.coordinate)
            points.append(Self.middle(recorded[stay].map(\.coordinate)))
            next = stay.upperBound
        }
        points += recorded[next...].map(\.coordinate)
        (self.points, rests) = (points, stays.count)
    }

    /// The place in the middle of some that are near each other.
    private static func middle(_ places: [Coordinate]) -> Coordinate {
        let count = Double(places.count)
        let east = places.reduce(0) { $0 + Angle.difference(from: places[0].longitude, to: $1.longitude) }
        let heights = places.compactMap(\.altitude)
        return Coordinate(
            latitude: places.reduce(0) { $0 + $1.latitude } / count,
            longitude: Angle.longitude(places[0].longitude + east / count),
            altitude: heights.isEmpty ? nil : heights.reduce(0, +) / Double(heights.count))
    }
}
