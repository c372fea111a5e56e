/// A feature area: its contributions to the workbench, as values.
///
/// One value of a plugin is created for each session; its state is in a type that its commands share. A
/// plugin depends on modules of `Sources/`, never on another plugin: it receives values of other plugins from
/// the pipe or through a capability.
public protocol Plugin: Sendable {
    /// One lower-case word.
    var name: String { get }
    /// Its purpose, in one line.
    var summary: String { get }
    /// Its version, such as `1.0`.
    var version: String { get }
    /// Its commands.
    var commands: [any CommandProvider] { get }
    /// What its commands are for, except those that say otherwise.
    var commandGroup: CommandGroup { get }
    /// Commands of earlier versions by name, each with what to type now, such as `"stops near": "stop near"`. Read only
    /// for the error of an unknown command.
    var formerCommands: [String: String] { get }
    /// The kinds of error it throws, for `explain`.
    var errors: [ErrorKind] { get }
    /// Its capabilities for other plugins and the host.
    var capabilities: [any Capability] { get }
    /// Its settings.
    var settings: [SettingSpec] { get }
    /// The libraries that some of its commands require.
    var libraries: [NativeLibrary] { get }
    /// The servers that notebooks can require.
    var servers: [NotebookServer] { get }
    /// Called once when the session starts; must not open anything that is not needed at once.
    func open(_ context: Context) async throws
    /// Called once when the session ends.
    func close() async
}

extension Plugin {
    /// Commands of external plugins.
    public var commandGroup: CommandGroup { .external }
    /// No former commands.
    public var formerCommands: [String: String] { [:] }
    /// No errors of its own.
    public var errors: [ErrorKind] { [] }
    /// No capabilities.
    public var capabilities: [any Capability] { [] }
    /// No settings.
    public var settings: [SettingSpec] { [] }
    /// No libraries.
    public var libraries: [NativeLibrary] { [] }
    /// No server.
    public var servers: [NotebookServer] { [] }
    /// Nothing to open.
    public func open(_ context: Context) async throws {}
    /// Nothing to close.
    public func close() async {}
}

/// A server that notebooks can require. Without it, notebooks that require it are skipped with a reason.
public struct NotebookServer: Sendable {
    /// The word under `requires`.
    public let name: String
    /// Whether it is available.
    public let isAvailable: Bool
    /// How to set it up, briefly.
    public let hint: String

    /// Declares a server.
    public init(_ name: String, isAvailable: Bool, hint: String) {
        self.name = name
        self.isAvailable = isAvailable
        self.hint = hint
    }
}

/// A service that a plugin provides to others. Capabilities are declared in PluginKit, one per file in
/// `Capabilities/`; users query the context for all conforming values.
public protocol Capability: Sendable {
    /// The capability itself if it is a `PlaceNaming`. Each planned route queries these, and a cast would search all
    /// conformances of the program, which is noticeable in a run of one command.
    var placeNaming: (any PlaceNaming)? { get }
    /// The capability itself if it is a `NamedPlaces`, for the same reason.
    var namedPlaces: (any NamedPlaces)? { get }
}

extension Capability {
    /// By default `nil`.
    public var placeNaming: (any PlaceNaming)? { nil }
    /// By default `nil`.
    public var namedPlaces: (any NamedPlaces)? { nil }
}

extension PlaceNaming {
    /// The capability itself.
    public var placeNaming: (any PlaceNaming)? { self }
}

extension NamedPlaces {
    /// The capability itself.
    public var namedPlaces: (any NamedPlaces)? { self }
}
