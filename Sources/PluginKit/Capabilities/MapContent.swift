/// Provides the content of a plugin's stores for the session's map.
public protocol MapContent: Capability {
    /// The values to draw; those that conform to `MapDrawable` of the Pictures module are drawn.
    func mapObjects(context: Context) async throws -> [any DomainObject]
}
