import PluginKit

/// A waypoint in a pipe, from any plugin.
public protocol WaypointRepresentable: DomainObject {
    /// The waypoint without its photo.
    var waypoint: Waypoint { get }
}
