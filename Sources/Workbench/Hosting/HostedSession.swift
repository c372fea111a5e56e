import CivilTime
import Foundation
import Logging
import Notebooks
import PluginKit

/// A session as the notebook runner sees it.
final class HostedSession: NotebookSession {
    private let session: Session

    init(_ session: Session) { self.session = session }

    func run(_ input: String) async -> CellOutput {
        let result = await session.run(input)
        return CellOutput(text: result.text, failed: result.failure != nil, errorCode: result.failure?.code)
    }

    func answer(_ input: String) async -> CellOutput {
        let result = await session.answer(input)
        return CellOutput(text: result.text, failed: result.failure != nil, errorCode: result.failure?.code)
    }

    func setVariable(_ name: String, literal: String) async {
        let value = await session.run(literal).value
        await session.setVariable(name, to: value)
    }

    func coverage() async -> CoverageReport { await session.coverageReport }

    func close() async { await session.close() }
}

/// Creates the sessions of notebooks: deterministic, and confined to the notebook's folder, data and workspace.
public struct WorkbenchSessionFactory: NotebookSessionFactory {
    /// What a notebook may use beyond its own files.
    public struct Allowances: Sendable {
        /// Further folders to read.
        public var read: [URL] = []
        /// Further folders to write.
        public var write: [URL] = []
        /// Whether the network may be used.
        public var network = false
        /// Folders of external plugins, with their registers; `nil` forbids external plugins.
        public var pluginFolders: [URL]?

        /// No additional permissions.
        public init() {}
    }

    private let makePlugins: @Sendable () -> [any Plugin]
    private let allowances: Allowances
    private let log: Logger
    private let nesting: NotebookNesting
    private let executor = CommandExecutor()

    /// A factory whose sessions get plugins from a closure and run within `nesting`.
    public init(
        allowances: Allowances = Allowances(), nesting: NotebookNesting = NotebookNesting(), log: Logger,
        plugins: @escaping @Sendable () -> [any Plugin]
    ) {
        makePlugins = plugins
        self.allowances = allowances
        self.log = log
        self.nesting = nesting
    }

    /// Whether notebooks may run external plugins.
    public var allowsPlugins: Bool { allowances.pluginFolders != nil }

    /// Whether notebooks may use the network.
    public var allowsNetwork: Bool { allowances.network }

    /// The names of the plugins and the available servers.
    public var plugins: Set<String> {
        let plugins = makePlugins()
        return Set(plugins.map(\.name) + plugins.flatMap(\.servers).filter(\.isAvailable).map(\.name))
    }

    /// How to set up the missing servers.
    public var missingServers: [String: String] {
        let servers = makePlugins().flatMap(\.servers).filter { !$0.isAvailable }
        return Dictionary(servers.map { ($0.name, $0.hint) }, uniquingKeysWith: { first, _ in first })
    }

    /// A session for a notebook.
    public func makeSession(_ context: NotebookContext) async throws -> any NotebookSession {
        do {
            return HostedSession(try session(context))
        } catch let error as RutterError {
            throw NotebookError(.session, "\(error.code): \(error.message)", suggestion: error.fix)
        }
    }

    /// How a notebook's cells parse and print values.
    static func environment(of settings: NotebookSettings) -> PluginKit.Environment {
        var environment = Environment.notebook
        environment.width = settings.width
        if let zone = TimeZone(identifier: settings.timezone) { environment.timeZone = zone }
        environment.units = settings.units == .imperial ? .imperial : .metric
        return environment
    }

    /// The same as a session of the workbench. A graphical front end receives the displayed values.
    public func session(
        _ context: NotebookContext, progress: ProgressReporter = ProgressReporter(),
        display: (@Sendable (DisplayedValue) -> Void)? = nil
    ) throws -> Session {
        var files = FileAccess(
            searchFolders: [context.workspace, context.folder],
            readable: [context.workspace, context.folder] + Array(context.dataFiles.values) + allowances.read,
            writable: [context.workspace] + allowances.write, outputFolder: context.workspace,
            allowsNetwork: allowances.network)
        files.named = context.dataFiles
        // Permissions of a notebook apply to that notebook only.
        files.pluginFolders = allowances.pluginFolders.map {
            [context.workspace.appendingPathComponent("plugins", isDirectory: true)] + $0
        }
        let settings = context.settings
        let environment = Self.environment(of: settings)
        let start = Timestamp(seconds: settings.clock.timeIntervalSince1970) ?? Timestamp(milliseconds: 0)
        var configuration = SessionConfiguration(
            seed: settings.seed, clock: SessionClock(standingAt: start), environment: environment,
            workspace: context.workspace.appendingPathComponent("stores", isDirectory: true),
            files: files, log: log, progress: progress)
        configuration.display = display
        configuration.isPlain = true
        configuration.wantedPlugins = settings.plugins ?? []
        configuration.nesting = try nesting.entering(context.file)
        configuration.executor = executor
        return try Session(configuration: configuration, plugins: makePlugins)
    }
}
