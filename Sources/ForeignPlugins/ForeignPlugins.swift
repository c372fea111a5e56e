import PluginKit

/// External plugins: programs in any language that speak JSON-RPC over their standard input and output.
public struct ForeignPlugins: ExtensiblePlugin {
    private let host = ForeignHost()

    /// The plugins of one session.
    public init() {}

    /// `foreign`.
    public let name = "foreign"
    /// Its purpose.
    public let summary = "external plugins, as programs over JSON-RPC"
    /// Its version.
    public let version = "1.0"

    /// What its commands are for.
    public var commandGroup: CommandGroup { .plugin }

    /// The commands `plugin …`.
    public var commands: [any CommandProvider] {
        [
            PluginLoad(host: host), PluginNew(),
            PluginTest(host: host).grouped(.testing),
            PluginTrust(host: host), PluginUnload(host: host),
        ]
    }

    /// The kinds of error of external plugins.
    public var errors: [ErrorKind] { ForeignErrors.all }
    /// The names of plugins, for completion.
    public var capabilities: [any Capability] { [PluginNames(host: host)] }

    /// Starts with a session. Throws if a plugin that its notebook lists cannot be used.
    public func begin(_ setup: ExtensionSetup) throws { try host.begin(setup) }
    /// Loads the plugins listed by a notebook that runs within the session.
    public func require(_ wanted: [String], files: FileAccess) throws { try host.require(wanted, files) }
    /// The message and fix if a plugin that is not loaded has that name.
    public func hint(forCommand word: String) -> (message: String, fix: String?)? {
        host.hint(forCommand: word)
    }
    /// Changes whenever a plugin is loaded or unloaded.
    public var generation: Int { host.generation }
    /// The loaded plugins.
    public var extensions: [CommandExtension] { host.extensions }
    /// The loaded and installed plugins.
    public func installed() throws -> [InstalledPlugin] { try host.listed() }
    /// Stops all running plugins.
    public func close() async { await host.close() }
}
