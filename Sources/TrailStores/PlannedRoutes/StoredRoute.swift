import PluginKit

/// A route as it goes through pipes with all that is kept of it.
public protocol StoredRoute: TravelRoute {
    /// What its file holds.
    var planned: PlannedRoute { get }
}
