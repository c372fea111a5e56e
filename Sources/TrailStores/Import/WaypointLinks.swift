import CivilTime
import Foundation
import Geodesy

/// The area in which a waypoint counts as created during a hike.
public enum HikeSurroundings {
    /// Metres by which that area extends beyond the track's box.
    public static let reach = 1000.0

    /// The box of a track, extended by `reach`; `nil` without a valid coordinate.
    public static func box(around coordinates: some Sequence<Coordinate>) -> BoundingBox? {
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

/// Which waypoints without a hike belong to one: those created during it, near its track.
public struct WaypointLinks: Sendable {
    /// A changed waypoint.
    public typealias Change = (before: Waypoint, after: Waypoint)

    /// The hike.
    public let hike: UUID
    /// Its start.
    public let start: Timestamp
    /// Its end.
    public let end: Timestamp
    /// The box around its track.
    public let box: BoundingBox

    /// The waypoints of a hike with these times and this box.
    public init(hike: UUID, from start: Timestamp, through end: Timestamp, within box: BoundingBox) {
        (self.hike, self.start, self.end, self.box) = (hike, start, end, box)
    }

    /// Whether a waypoint was created during the hike.
    public func isTimely(_ waypoint: Waypoint) -> Bool {
        waypoint.time.map { $0 >= start && $0 <= end } ?? false
    }

    /// Whether a waypoint is near the track.
    public func isNear(_ waypoint: Waypoint) -> Bool { box.contains(waypoint.coordinate) }

    /// Links the waypoints without a hike that belong to it. Returns what was changed.
    public func link(in store: WaypointStore, at now: Timestamp) throws -> [Change] {
        let during = try store.waypointsWithoutHike().filter { isTimely($0) && isNear($0) }
        guard !during.isEmpty else { return [] }
        return try store.updateAll(
            during.map { before in
                var after = before
                after.hikeID = hike
                after.modifiedAt = now
                return (before, after)
            }
        ).map { ($0.before, $0.after) }
    }
}
