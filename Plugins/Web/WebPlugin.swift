import PluginKit

/// The workbench in a browser on this machine: a server on the loopback address, and the page that it serves.
public struct WebPlugin: Plugin {
    /// The name in lists and in `requires` of notebooks.
    public let name = "web"
    /// What it is for.
    public let summary = "the workbench in a browser on this machine"
    /// Its version.
    public let version = "1.0"

    private let desk = WebDesk()

    /// A plugin for one session.
    public init() {}

    /// Its commands.
    public var commands: [any CommandProvider] {
        [OpenWeb(desk: desk), WebStatus(desk: desk), StopWeb(desk: desk), FetchFromWeb(desk: desk)]
    }

    /// The kinds of error it throws.
    public var errors: [ErrorKind] { WebErrors.all }

    /// What `rutter serve` waits for.
    public var capabilities: [any Capability] { [desk] }

    /// Ends the server.
    public func close() async { await desk.stop() }
}
