/// Tells what of a plugin's stores belongs on the session's map.
public protocol MapContent: Capability {
    /// The things to draw; those that conform to `MapDrawable` of the Pictures module are drawn.
    func mapObjects(context: Context) async throws -> [any DomainObject]
}
