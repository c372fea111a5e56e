/// Resolves `@name`: waypoints, stops, planned routes and other named objects.
public protocol ReferenceResolving: Capability {
    /// The kind it resolves, such as `waypoint`.
    var kind: String { get }
    /// Whether it is used only if no other resolver knows a name, as for places of a whole region.
    var isFallback: Bool { get }
    /// What to do when there is none of its kind yet; `nil` if nothing can be said.
    var firstSteps: String? { get }
    /// The command that lists the names, such as `hike list`; `nil` if none lists them all.
    var listing: String? { get }
    /// Everything that a text can refer to: an exact label, else an id prefix. Best match first.
    func resolve(_ text: String, context: Context) async throws -> [Reference]
    /// Names that begin with a prefix, for completion; at most `limit`.
    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference]
}

extension ReferenceResolving {
    /// By default, it is used together with the others.
    public var isFallback: Bool { false }
    /// By default, nothing is said.
    public var firstSteps: String? { nil }
    /// By default, no command is known to list them.
    public var listing: String? { nil }
}

/// An object that a name can refer to.
public struct Reference: Sendable {
    /// The text that refers to it: a label, or a short id where the label is empty or not unique.
    public let name: String
    /// Distinguishes it from others of the same name, such as `shelter, 1f3c09aa`.
    public let detail: String
    /// The object.
    public let object: any DomainObject

    /// Creates a reference.
    public init(name: String, detail: String, object: any DomainObject) {
        self.name = name
        self.detail = detail
        self.object = object
    }
}
