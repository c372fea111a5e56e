import Foundation

/// Finds recorded hikes by name, for linking waypoints to them.
public protocol HikeResolver: Capability {
    /// The identifiers of the hikes that match a name or an identifier prefix.
    func identifiers(of text: String, context: Context) async throws -> [UUID]
}
