/// Resolves `@name`: waypoints, stops, planned routes and what else can be called by a name.
public protocol ReferenceResolving: Capability {
    /// The kind it resolves, such as `waypoint`.
    var kind: String { get }
    /// Whether it is asked only where no other knows a name, as for places of a whole region.
    var isFallback: Bool { get }
    /// Everything that a text can mean: an exact label, else an id prefix. Best match first.
    func resolve(_ text: String, context: Context) async throws -> [Reference]
    /// What can be written that begins with a prefix, for completion; at most `limit`.
    func complete(_ prefix: String, limit: Int, context: Context) async throws -> [Reference]
}

extension ReferenceResolving {
    /// Asked together with the others.
    public var isFallback: Bool { false }
}

/// A thing that a name can mean.
public struct Reference: Sendable {
    /// What to write for it: a label, or a short id where the label is empty or not unique.
    public let name: String
    /// Tells it from others of the same name, such as `shelter, 1f3c09aa`.
    public let detail: String
    /// The thing itself.
    public let object: any DomainObject

    /// A thing by its name.
    public init(name: String, detail: String, object: any DomainObject) {
        self.name = name
        self.detail = detail
        self.object = object
    }
}
