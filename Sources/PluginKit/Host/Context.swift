import CivilTime
import Foundation
import Logging

/// What a command gets of the session: everything that is not an argument.
public struct Context: Sendable {
    /// The session's clock; there is no other.
    public let clock: SessionClock
    /// The session's random numbers and identifiers; there are no others.
    public let random: RandomSource
    /// How values are read and shown.
    public let environment: Environment
    /// The folder that holds the stores in use.
    public var workspace: URL { activeWorkspace.folder }
    /// Which folder that is, and how to use another.
    public let activeWorkspace: ActiveWorkspace
    /// Which other files may be used.
    public let files: FileAccess
    /// What can be undone.
    public let journal: Journal
    /// The stores that are open in the session.
    public let stores: OpenStores
    /// Reports progress.
    public let progress: ProgressReporter
    /// The log.
    public let log: Logger
    /// What the plugins offer.
    public let capabilities: [any Capability]
    /// The settings' values by name.
    public let settings: [String: Value]
    /// Lends the terminal; `nil` where nobody looks.
    public let screen: (any ScreenLending)?
    /// Collects traces when the command runs under `trace`.
    public let tracing: TraceCollector?
    /// The values that `let` gave a name.
    public let variables: [String: Value]
    /// Runs pipelines of the session for a command; `nil` where there is none.
    public let pipelines: (any PipelineRunning)?
    /// Runs entries of the session for another way in; `nil` where there is none.
    public let entries: (any EntryRunning)?
    /// What the session has run so far; `nil` where nothing is recorded.
    public let record: (any SessionRecord)?

    /// The map that was shown last.
    public let shownMap: ShownMap

    /// Everything a command may use.
    public init(
        clock: SessionClock, random: RandomSource, environment: Environment, workspace: ActiveWorkspace,
        files: FileAccess,
        journal: Journal, stores: OpenStores, progress: ProgressReporter, log: Logger,
        capabilities: [any Capability], settings: [String: Value], screen: (any ScreenLending)? = nil,
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

    /// All offered capabilities of a type, in the order of the plugins.
    public func all<T>(_ type: T.Type) -> [T] { capabilities.compactMap { $0 as? T } }

    /// Throws `E-INTERRUPTED` when the command was stopped.
    public func checkCancelled() throws {
        try Interruption.check()
    }
}
