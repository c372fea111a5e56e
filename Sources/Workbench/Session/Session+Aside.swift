import PluginKit
import Synchronization

/// What an entry has of its own that runs beside the others.
final class AsideRun: Sendable {
    /// That of the current task; `nil` for entries that run one after the other.
    @TaskLocal static var current: AsideRun?

    let environment: Environment
    let files: FileAccess
    private let refused = Atomic(false)

    init(_ environment: Environment, _ files: FileAccess) {
        (self.environment, self.files) = (environment, files)
    }

    /// Whether it has met a command that must wait for its turn.
    var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// Marks that it has met such a command, and stops it.
    func refuse() -> RutterError {
        refused.store(true, ordering: .relaxed)
        return SessionErrors.unforeseen("the entry must wait for its turn")
    }
}

/// Entries that only read run beside the one that has the session, so that a long one does not block a look at something else.
extension Session {
    /// Runs an entry beside the others; `nil` if it must wait for its turn: it may change something, is recorded, or the session is
    /// in a notebook.
    nonisolated func runAside(_ entry: String, _ options: EntryRunOptions) async -> EntryOutcome? {
        guard !options.isRecorded, options.outputFolder == nil,
            let (script, aside, limit) = await prepareAside(entry, options)
        else { return nil }
        let output = EntryOutput()
        var last = Value.nothing
        var failure: RutterError?
        do {
            last = try await withTaskExecutorPreference(configuration.executor) {
                try await RowLimit.$current.withValue(aside.environment.rowLimit) {
                    try await AsideRun.$current.withValue(aside) {
                        try await PipelineLimit.$reason.withValue(limit) {
                            try await PipelineLimit.$effect.withValue(.reads) {
                                try await EntryOutput.$leavesLiveRows.withValue(options.leavesLiveRows) {
                                    try await values(of: script, entry: entry, to: output)
                                }
                            }
                        }
                    }
                }
            }
        } catch {
            failure = Self.asRutterError(error)
        }
        if aside.isRefused { return nil }
        let redaction = Redaction(entry)
        return EntryOutcome(
            text: redaction.without(output.text),
            errorText: failure.map {
                redaction.without(ErrorRenderer(color: false).text($0, entry: redaction.entry))
            },
            value: last, failure: failure, hasChanged: false)
    }

    private nonisolated func values(
        of script: Script, entry: String, to output: EntryOutput
    ) async throws -> Value {
        var last = Value.nothing
        for pipeline in script.pipelines {
            last = try await execute(pipeline, entry: entry, tracing: nil)
            if case .nothing = last { continue }
            guard let own = AsideRun.current else { continue }
            try output.show(last, own.environment)
        }
        return last
    }

    /// The parsed entry and what it has of its own; `nil` if it must wait for its turn.
    private func prepareAside(
        _ entry: String, _ options: EntryRunOptions
    ) -> (Script, AsideRun, PipelineLimit.Reason)? {
        guard isOpen, nesting.depth == configuration.nesting.depth, let script = try? parse(entry),
            script.pipelines.allSatisfy({ $0.calls.allSatisfy { runsAside($0) } })
        else { return nil }
        // A running clock is read once for a whole entry: that of the entry that has the session stays as it is.
        if !gate.isTaken { configuration.clock.beginEntry() }
        var own = environment
        own.width = options.width
        (own.color, own.isPipe, own.isInteractive) = (false, false, false)
        let reach = options.isReadOnly ? Self.readOnlyFiles(workspace) : files
        return (
            script, AsideRun(own, reach), options.isReadOnly ? .readOnly(Self.sessionCommands) : .another
        )
    }

    /// Whether a command may run beside others: it changes neither stores nor the session, and is built in.
    func runsAside(_ call: Call) -> Bool {
        let name = call.command.spec.name
        return call.effect != .changes && asideCommands.contains(name)
            && registry[name]?.origin != Self.definitions
    }

    /// The files of read-only entries: those of the workspace.
    static func readOnlyFiles(_ workspace: ActiveWorkspace) -> FileAccess {
        FileAccess(
            searchFolders: [workspace.home], readable: [workspace.home], writable: [],
            outputFolder: workspace.home, allowsNetwork: false)
    }
}
