import PluginKit

/// A waypoint as it goes through pipes, whoever gives it.
public protocol MarkedWaypoint: DomainObject {
    /// All that is known of it but its photo.
    var waypoint: Waypoint { get }
}
