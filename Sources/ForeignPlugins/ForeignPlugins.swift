import PluginKit

/// The plugins of others: programs of any language that speak JSON-RPC over their standard input and output.
public struct ForeignPlugins: ExtensiblePlugin {
    private let host = ForeignHost()

    /// The plugins of one session.
    public init() {}

    /// `foreign`.
    public let name = "foreign"
    /// What it is for.
    public let summary = "plugins of others, as programs over JSON-RPC"
    /// Its version.
    public let version = "1.0"

    /// The commands `plugin …`.
    public var commands: [any CommandProvider] {
        [
            PluginList(host: host), PluginLoad(host: host), PluginNew(), PluginTest(host: host),
            PluginTrust(host: host), PluginUnload(host: host),
        ]
    }

    /// What can be wrong with a plugin.
    public var errors: [ErrorKind] { ForeignErrors.all }
    /// The names of plugins, for completion.
    public var capabilities: [any Capability] { [PluginNames(host: host)] }

    /// Begins with a session. Throws where a plugin that its notebook names cannot be used.
    public func begin(_ setup: ExtensionSetup) throws { try host.begin(setup) }
    /// Loads the plugins that a notebook lists which runs within the session.
    public func require(_ wanted: [String], files: FileAccess) throws { try host.require(wanted, files) }
    /// Whether a plugin that is not loaded has that name, and what to do about it.
    public func hint(forCommand word: String) -> (message: String, fix: String?)? {
        host.hint(forCommand: word)
    }
    /// Changes whenever a plugin is loaded or unloaded.
    public var generation: Int { host.generation }
    /// The plugins that are loaded.
    public var extensions: [CommandExtension] { host.extensions }
    /// Ends all that run.
    public func close() async { await host.close() }
}
