import Foundation

/// What a command showed.
public struct CellOutput: Sendable, Hashable {
    /// Exactly what the terminal would show, without prompt and last newline; empty when nothing is shown.
    public var text: String
    /// Whether the command failed; its text is then the error's.
    public var failed: Bool
    /// The stable code of the error, such as `E-ROUTE-NOPATH`.
    public var errorCode: String?

    /// What a command showed.
    public init(text: String, failed: Bool = false, errorCode: String? = nil) {
        self.text = text
        self.failed = failed
        self.errorCode = errorCode
    }
}

/// What a notebook needs of a session. The host implements it.
public protocol NotebookSession: AnyObject, Sendable {
    /// Runs one entry, which may have several lines, and returns what the terminal would show. When the task is
    /// cancelled (an entry took longer than its timeout, or a person pressed Ctrl-C) it returns soon.
    func run(_ input: String) async -> CellOutput

    /// Runs what a reader answers to an exercise: it may look and leaves the session as it was.
    func answer(_ input: String) async -> CellOutput

    /// Gives a variable a value, written as a literal of the command language: `42`, `6.1km`, `'text'`.
    func setVariable(_ name: String, literal: String) async

    /// The commands, flags and error codes used since the start, and all that exist.
    func coverage() async -> CoverageReport

    /// Ends the session. It is called once, after the last entry; the workspace is deleted afterwards.
    func close() async
}

extension NotebookSession {
    /// Runs it as an entry.
    public func answer(_ input: String) async -> CellOutput { await run(input) }
}

/// What a session is made from.
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

    /// What a session is made from.
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

/// Makes sessions. The host implements it.
public protocol NotebookSessionFactory: Sendable {
    /// The names of the plugins that sessions will have, for `requires`, and of the servers that are there.
    var plugins: Set<String> { get async }

    /// Of servers that are not there: how to have one.
    var missingServers: [String: String] { get async }

    /// Whether notebooks may run plugins of others.
    var allowsPlugins: Bool { get async }

    /// Whether notebooks may use the network.
    var allowsNetwork: Bool { get async }

    /// A session that is deterministic and confined by the context.
    func makeSession(_ context: NotebookContext) async throws -> any NotebookSession
}

extension NotebookSessionFactory {
    /// They may not.
    public var allowsPlugins: Bool { false }
    /// They may not.
    public var allowsNetwork: Bool { false }
    /// None is known.
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
            return "it runs plugins of others: --allow-plugins"
        }
        if settings.usesNetwork, await !allowsNetwork {
            return "it uses the network: --allow-network"
        }
        return data.missing.first.map { "the data file `\($0)` is missing" }
    }
}
