import CivilTime
import Foundation
import Geodesy

/// Links waypoints to the hike during which they were made.
public protocol WaypointLinking: Capability {
    /// Links the waypoints of the session that were made in a span of time within a box and belong to no hike yet.
    ///
    /// Gives what takes the links back; a store that is open for reading only is left alone.
    func link(
        toHike hike: UUID, from start: Timestamp, through end: Timestamp, within box: BoundingBox,
        context: Context
    ) async throws -> LinkedWaypoints
}

/// Waypoints that were linked to a hike.
public struct LinkedWaypoints: Sendable {
    /// How many.
    public let count: Int
    /// Takes the links away again, from those that are still as they were linked.
    public let unlink: @Sendable () throws -> Void

    /// Links, and how they are taken away.
    public init(count: Int, unlink: @escaping @Sendable () throws -> Void) {
        self.count = count
        self.unlink = unlink
    }
}
