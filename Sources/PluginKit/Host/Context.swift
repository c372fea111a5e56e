import CivilTime
import Foundation
import Logging

/// The session as seen by a command: everything that is not an argument.
public struct Context: Sendable {
    /// The session's clock, the only source of time.
    public let clock: SessionClock
    /// The session's random numbers and identifiers; the only source of randomness.
    public let random: RandomSource
    /// How values are parsed and printed.
    public let environment: Environment
    /// The folder of the active stores.
    public var workspace: URL { activeWorkspace.folder }
    /// Selects that folder.
    public let activeWorkspace: ActiveWorkspace
    /// Access to other files.
    public let files: FileAccess
    /// The changes that can be undone.
    public let journal: Journal
    /// The stores that are open in the session.
    public let stores: OpenStores
    /// Reports progress.
    public let progress: ProgressReporter
    /// The log.
    public let log: Logger
    /// The capabilities of the plugins.
    public let capabilities: [any Capability]
    /// The settings' values by name.
    public let settings: [String: Value]
    /// Gives a command the terminal; `nil` without one.
    public let screen: (any ScreenProvider)?
    /// Collects traces when the command runs under `trace`.
    public let tracing: TraceCollector?
    /// The variables set by `let`.
    public let variables: [String: Value]
    /// Runs pipelines of the session for a command; `nil` if unavailable.
    public let pipelines: (any PipelineRunning)?
    /// Runs entries of the session for other clients, such as a web page; `nil` if unavailable.
    public let entries: (any EntryRunning)?
    /// The session's record; `nil` if nothing is recorded.
    public let record: (any SessionRecord)?

    /// The last map shown.
    public let shownMap: ShownMap

    /// Creates a context.
    public init(
        clock: SessionClock, random: RandomSource, environment: Environment, workspace: ActiveWorkspace,
        files: FileAccess,
        journal: Journal, stores: OpenStores, progress: ProgressReporter, log: Logger,
        capabilities: [any Capability], settings: [String: Value], screen: (any ScreenProvider)? = nil,
        tracing: TraceCollector?, variables: [String: Value] = [:], record: (any SessionRecord)? = nil,
        pipelines: (any PipelineRunning)? = nil, entries: (any EntryRunning)? = nil,
        shownMap: ShownMap = ShownMap()
    ) {
        self.clock = clock
        self.random = random
        self.environment = environment
        activeWorkspace = workspace
        self.files = files
        self.journal = journal
        self.stores = stores
        self.progress = progress
        self.log = log
        self.capabilities = capabilities
        self.settings = settings
        self.screen = screen
        self.tracing = tracing
        self.variables = variables
        self.record = record
        self.pipelines = pipelines
        self.entries = entries
        self.shownMap = shownMap
    }

    /// The same for work of another plugin within a command whose own steps are traced.
    public var untraced: Context {
        Context(
            clock: clock, random: random, environment: environment, workspace: activeWorkspace, files: files,
            journal: journal, stores: stores, progress: progress, log: log, capabilities: capabilities,
            settings: settings, screen: screen, tracing: nil, variables: variables, record: record,
            pipelines: pipelines, entries: entries, shownMap: shownMap)
    }

    /// All capabilities of a type, in the order of the plugins.
    public func all<T>(_ type: T.Type) -> [T] { capabilities.compactMap { $0 as? T } }

    /// Throws `E-INTERRUPTED` when the command was stopped.
    public func checkCancelled() throws {
        try Interruption.check()
    }
}
