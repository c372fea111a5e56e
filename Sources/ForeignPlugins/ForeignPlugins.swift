import PluginKit

/// The plugins of others: programs of any language that speak JSON-RPC over their standard input and output.
public struct ForeignPlugins: ExtensiblePlugin {
    private let host = ForeignHost()

    /// The plugins of one session.
    public init() {}

    public let name = "foreign"
    public let summary = "plugins of others, as programs over JSON-RPC"
    public let version = "1.0"

    public var commands: [any CommandProvider] {
        [
            PluginList(host: host), PluginLoad(host: host), PluginNew(), PluginTest(host: host),
            PluginTrust(host: host), PluginUnload(host: host),
        ]
    }

    public var errors: [ErrorKind] { ForeignErrors.all }
    public var capabilities: [any Capability] { [PluginNames(host: host)] }

    public func begin(_ setup: ExtensionSetup) throws { try host.begin(setup) }
    public var generation: Int { host.generation }
    public var extensions: [CommandExtension] { host.extensions }
    public func close() async { await host.close() }
}
