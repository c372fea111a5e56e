import PluginKit

/// A waypoint in a pipe, of whichever plugin.
public protocol WaypointRepresentable: DomainObject {
    /// All that is known of it but its photo.
    var waypoint: Waypoint { get }
}
