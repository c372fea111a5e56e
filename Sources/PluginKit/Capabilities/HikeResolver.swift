import Foundation

/// Knows the recorded hikes by name, for linking waypoints to them.
public protocol HikeResolver: Capability {
    /// The identifiers of the hikes that a name or the first letters of an identifier can mean.
    func identifiers(of text: String, context: Context) async throws -> [UUID]
}
