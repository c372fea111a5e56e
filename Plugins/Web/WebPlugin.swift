import PluginKit

/// Serves the session to a browser on this machine: a server on the loopback address, and its page.
public struct WebPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "web"
    /// The summary shown by `plugin list`.
    public let summary = "the workbench in a browser on this machine"
    /// Its version.
    public let version = "1.0"

    private let service = WebService()

    /// A plugin for one session.
    public init() {}

    /// What its commands are for.
    public var commandGroup: CommandGroup { .web }

    /// Its commands.
    public var commands: [any CommandProvider] {
        [
            OpenWeb(service: service), WebStatus(service: service), StopWeb(service: service),
            FetchFromWeb(service: service),
        ]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { WebErrors.all }

    /// The server that `rutter serve` waits for.
    public var capabilities: [any Capability] { [service] }

    /// Stops the server.
    public func close() async { await service.stop() }
}
