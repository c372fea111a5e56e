/// A feature area: what it brings to the workbench, as values.
///
/// One value of a plugin is made for each session; what it must remember it keeps in a type of its own that its
/// commands share. A plugin depends on modules of `Sources/`, never on another plugin: what it needs of another
/// comes as a value in the pipe or as a capability.
public protocol Plugin: Sendable {
    /// One lower-case word.
    var name: String { get }
    /// What it is for, in one line.
    var summary: String { get }
    /// Its version, such as `1.0`.
    var version: String { get }
    /// The commands it brings.
    var commands: [any CommandProvider] { get }
    /// The kinds of error it throws, for `explain`.
    var errors: [ErrorKind] { get }
    /// What it offers to other plugins and to the host.
    var capabilities: [any Capability] { get }
    /// What a session can set.
    var settings: [SettingSpec] { get }
    /// The libraries without which some of its commands fail.
    var libraries: [NativeLibrary] { get }
    /// The servers that notebooks may require beside plugins.
    var servers: [NotebookServer] { get }
    /// Called once when the session opens; opens nothing that is not needed at once.
    func open(_ context: Context) async throws
    /// Called once when the session ends.
    func close() async
}

extension Plugin {
    /// No errors of its own.
    public var errors: [ErrorKind] { [] }
    /// Nothing offered.
    public var capabilities: [any Capability] { [] }
    /// Nothing to set.
    public var settings: [SettingSpec] { [] }
    /// No library of C.
    public var libraries: [NativeLibrary] { [] }
    /// No server.
    public var servers: [NotebookServer] { [] }
    /// Nothing to open.
    public func open(_ context: Context) async throws {}
    /// Nothing to close.
    public func close() async {}
}

/// A server that somebody has for notebooks to use. Where there is none the notebooks that require it are skipped, and say why.
public struct NotebookServer: Sendable {
    /// The word under `requires`.
    public let name: String
    /// Whether there is one.
    public let isThere: Bool
    /// How to have one, in a few words.
    public let hint: String

    /// Declares a server.
    public init(_ name: String, isThere: Bool, hint: String) {
        self.name = name
        self.isThere = isThere
        self.hint = hint
    }
}

/// Something that a plugin offers to others. What can be offered is typed here in PluginKit, each in a file of
/// `Capabilities/`; who needs it asks the context for all that conform.
public protocol Capability: Sendable {
    /// Itself where it is a `PlaceNaming`. Such is asked for with each planned route, and Swift's look-up of a conformance
    /// that is not there goes through all those of the program: in a run for one command that is felt.
    var placeNaming: (any PlaceNaming)? { get }
    /// Itself where it is a `NamedPlaces`, for the same reason.
    var namedPlaces: (any NamedPlaces)? { get }
}

extension Capability {
    /// Most name no coordinates.
    public var placeNaming: (any PlaceNaming)? { nil }
    /// Most know no places.
    public var namedPlaces: (any NamedPlaces)? { nil }
}

extension PlaceNaming {
    /// Itself.
    public var placeNaming: (any PlaceNaming)? { self }
}

extension NamedPlaces {
    /// Itself.
    public var namedPlaces: (any NamedPlaces)? { self }
}

/// A setting of the session.
public struct SettingSpec: Sendable {
    /// Name, `area.name` in lower case for those of plugins.
    public let name: String
    /// What it takes.
    public let kind: ParameterKind
    /// The default as one would write it.
    public let defaultText: String
    /// What it does, in one line.
    public let help: String

    /// Declares a setting.
    public init(_ name: String, _ kind: ParameterKind, default defaultText: String, _ help: String) {
        self.name = name
        self.kind = kind
        self.defaultText = defaultText
        self.help = help
    }
}
