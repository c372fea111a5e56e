import Foundation

/// The output of a command.
public struct CellOutput: Sendable, Hashable {
    /// The terminal output, without prompt and last newline; may be empty.
    public var text: String
    /// Whether the command failed; its text is then the error's.
    public var failed: Bool
    /// The stable code of the error, such as `E-ROUTE-NOPATH`.
    public var errorCode: String?

    /// Creates an output.
    public init(text: String, failed: Bool = false, errorCode: String? = nil) {
        self.text = text
        self.failed = failed
        self.errorCode = errorCode
    }
}

/// The session interface for notebooks, implemented by the host.
public protocol NotebookSession: AnyObject, Sendable {
    /// Runs one entry, which may have several lines, and returns the terminal output. Must return soon after
    /// the task is cancelled (because of a timeout or Ctrl-C).
    func run(_ input: String) async -> CellOutput

    /// Runs a reader's answer to an exercise, read-only, without changing the session.
    func answer(_ input: String) async -> CellOutput

    /// Sets a variable to a value, written as a literal of the command language: `42`, `6.1km`, `'text'`.
    func setVariable(_ name: String, literal: String) async

    /// The coverage of commands, flags and error codes since the start.
    func coverage() async -> CoverageReport

    /// Ends the session. It is called once, after the last entry; the workspace is deleted afterwards.
    func close() async
}

extension NotebookSession {
    /// Runs it as an entry.
    public func answer(_ input: String) async -> CellOutput { await run(input) }
}

/// The context for creating a session.
public struct NotebookContext: Sendable {
    /// The notebook's settings.
    public let settings: NotebookSettings
    /// The notebook.
    public let file: URL
    /// The notebook's folder: read only.
    public let folder: URL
    /// A fresh folder, the only one the session may write in; the runner deletes it in the end.
    public let workspace: URL
    /// The input files by their names in the notebook: read only.
    public let dataFiles: [String: URL]

    /// Creates a context.
    public init(
        settings: NotebookSettings, file: URL, folder: URL, workspace: URL, dataFiles: [String: URL]
    ) {
        self.settings = settings
        self.file = file
        self.folder = folder
        self.workspace = workspace
        self.dataFiles = dataFiles
    }
}

/// Creates sessions; implemented by the host.
public protocol NotebookSessionFactory: Sendable {
    /// The names of the plugins that sessions will have, for `requires`, and of available servers.
    var plugins: Set<String> { get async }

    /// Set-up hints for missing servers.
    var missingServers: [String: String] { get async }

    /// Whether notebooks may run external plugins.
    var allowsPlugins: Bool { get async }

    /// Whether notebooks may use the network.
    var allowsNetwork: Bool { get async }

    /// A session that is deterministic and confined by the context.
    func makeSession(_ context: NotebookContext) async throws -> any NotebookSession
}

extension NotebookSessionFactory {
    /// By default, not.
    public var allowsPlugins: Bool { false }
    /// By default, not.
    public var allowsNetwork: Bool { false }
    /// By default, none.
    public var missingServers: [String: String] { [:] }
}

extension NotebookSessionFactory {
    /// Why a notebook of these settings cannot run here; `nil` when it can.
    public func unmetNeed(of settings: NotebookSettings, _ data: InputData) async -> String? {
        let available = settings.requires.isEmpty ? [] : await plugins
        if let plugin = settings.requires.first(where: { !available.contains($0) }) {
            if let hint = await missingServers[plugin] { return "the server `\(plugin)` is missing: \(hint)" }
            return "the plugin `\(plugin)` is missing"
        }
        if settings.plugins != nil, await !allowsPlugins {
            return "it runs external plugins: --allow-plugins"
        }
        if settings.usesNetwork, await !allowsNetwork {
            return "it uses the network: --allow-network"
        }
        return data.missing.first.map { "the data file `\($0)` is missing" }
    }
}
