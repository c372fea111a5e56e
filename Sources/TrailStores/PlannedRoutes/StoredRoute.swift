import PluginKit

/// A planned route in a pipe, with all stored data.
public protocol StoredRoute: TravelRoute {
    /// The content of its file.
    var planned: PlannedRoute { get }
}
