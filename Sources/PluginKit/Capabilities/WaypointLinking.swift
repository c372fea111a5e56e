import CivilTime
import Foundation
import Geodesy

/// Links waypoints to the hike during which they were created.
public protocol WaypointLinking: Capability {
    /// Links the session's unlinked waypoints that were created in a time span within a box.
    ///
    /// Returns the links for undo; a read-only store is not changed.
    func link(
        toHike hike: UUID, from start: Timestamp, through end: Timestamp, within box: BoundingBox,
        context: Context
    ) async throws -> LinkedWaypoints
}

/// Waypoints that were linked to a hike.
public struct LinkedWaypoints: Sendable {
    /// Their number.
    public let count: Int
    /// Removes the links of waypoints that are unchanged since.
    public let unlink: @Sendable () throws -> Void

    /// Creates links with their inverse.
    public init(count: Int, unlink: @escaping @Sendable () throws -> Void) {
        self.count = count
        self.unlink = unlink
    }
}
