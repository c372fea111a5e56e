import Foundation
import Pictures
import PluginKit
import Synchronization

/// Runs entries of a session on behalf of a plugin, such as a web server.
struct SessionEntries: EntryRunning {
    let session: SessionHandle

    func run(_ entry: String, _ options: EntryRunOptions) async -> EntryOutcome {
        do {
            return try await session.get().run(entry, options)
        } catch {
            return EntryOutcome(
                text: "", errorText: ErrorRenderer(color: false).text(error, entry: entry), value: .nothing,
                failure: error, hasChanged: false)
        }
    }

    var permit: EntryPermit { EntryGate.permit }

    func json(_ value: Value) async throws -> String {
        let zone = try await session.get().presentEnvironment.timeZone
        let sink = TextSink()
        try JSONDataWriter(timeZone: zone, compact: true).write(value, to: sink)
        return sink.text
    }

    func cells(_ values: [Value]) async -> [String] {
        guard let environment = try? await session.get().presentEnvironment else { return [] }
        return values.map {
            TerminalText.withoutControls(
                ValueText.inline($0, timeZone: environment.timeZone, units: environment.units))
        }
    }

    func playerData(_ value: Value) async throws -> String? {
        let units = try await session.get().presentEnvironment.units
        let bases = PlayedBases(try await context())
        return try StepPlayer.data(value, units: ScaleUnits(units), on: bases)
    }

    func picture(_ value: Value) async throws -> String? {
        try RenderingSession.picture(of: value).map(SceneSVG.render)
    }

    func notebook(_ value: Value) async throws -> String? {
        try value.object(as: NotebookObject.self)?.json()
    }

    func context() async throws -> Context { try await session.get().context(tracing: nil) }

    func observe(_ report: @escaping @Sendable (EntryEvent) -> Void) async -> EntryObservation {
        guard let observers = try? session.get().observers else { return EntryObservation {} }
        return observers.add(report)
    }
}

/// Observers that are notified of each entry.
final class EntryObservers: Sendable {
    private struct State: Sendable {
        var next = 0
        var reports: [Int: @Sendable (EntryEvent) -> Void] = [:]
    }

    private let state = Mutex(State())

    func add(_ report: @escaping @Sendable (EntryEvent) -> Void) -> EntryObservation {
        let key = state.withLock { state in
            state.next += 1
            state.reports[state.next] = report
            return state.next
        }
        return EntryObservation { [self] in state.withLock { $0.reports[key] = nil } }
    }

    func notify(_ event: EntryEvent) {
        let reports = state.withLock { state in state.reports.sorted { $0.key < $1.key }.map(\.value) }
        for report in reports { report(event) }
    }
}

extension Session {
    /// Commands that change the session itself, whatever their effect on the workspace; other session changes
    /// of an entry can be rolled back after it.
    static let sessionCommands: Set = ["alias", "def", "quit", "source"]

    /// Runs an entry that a plugin submitted.
    nonisolated func run(_ entry: String, _ options: EntryRunOptions) async -> EntryOutcome {
        let notices = NoticeCollector()
        var outcome = await NoticeCollector.$current.withValue(notices) {
            if let outcome = await runAside(entry, options) { return outcome }
            return await runInTurn(entry, options)
        }
        outcome.notices = notices.all.map(Redaction(entry).without)
        return outcome
    }

    /// Runs an entry after all earlier ones.
    private nonisolated func runInTurn(_ entry: String, _ options: EntryRunOptions) async -> EntryOutcome {
        let limit: PipelineLimit.Reason = options.isReadOnly ? .readOnly(Self.sessionCommands) : .another
        return await gate.pass(options.permit) { [self] in
            let before = await begin(options)
            let result = await PipelineLimit.$reason.withValue(limit) {
                await PipelineLimit.$effect.withValue(options.isReadOnly ? .reads : .changes) {
                    await EntryOutput.$leavesLiveRows.withValue(options.leavesLiveRows) {
                        await run(entry, recorded: options.isRecorded)
                    }
                }
            }
            let hasChanged = await end(options, before)
            return EntryOutcome(
                text: result.output, errorText: result.errorText, value: result.value,
                failure: result.failure, hasChanged: hasChanged)
        }
    }

    /// The state to restore after a submitted entry.
    struct StateBeforeEntry: Sendable {
        fileprivate let savedState: SavedState
        fileprivate let files: FileAccess
        fileprivate let environment: PluginKit.Environment
        fileprivate let variables: [String: Value]
        fileprivate let settings: [String: Value]
        fileprivate let changes: Int
    }

    private func begin(_ options: EntryRunOptions) -> StateBeforeEntry {
        let before = StateBeforeEntry(
            savedState: savedState, files: files, environment: environment, variables: variables,
            settings: pluginSettings, changes: changes)
        // A read-only entry is not recorded, but reads the current time all the same.
        if !options.isRecorded { configuration.clock.beginEntry() }
        allowsScreen = false
        environment.width = options.width
        environment.color = false
        environment.isPipe = false
        environment.isInteractive = false
        if options.isReadOnly {
            files = Self.readOnlyFiles(workspace)
        }
        if let folder = options.outputFolder {
            files.writable = [folder]
            files.outputFolder = folder
        }
        return before
    }

    /// Restores the overridden state, and after a read-only entry all other state, too. Returns whether something was
    /// changed.
    private func end(_ options: EntryRunOptions, _ before: StateBeforeEntry) -> Bool {
        if options.isReadOnly {
            leave(to: before.savedState)
            variables = before.variables
            pluginSettings = before.settings
            return false
        }
        if options.outputFolder != nil { files = before.files }
        allowsScreen = before.savedState.allowsScreen
        if environment.width == options.width { environment.width = before.environment.width }
        environment.color = before.environment.color
        environment.isPipe = before.environment.isPipe
        environment.isInteractive = before.environment.isInteractive
        return changes > before.changes
    }
}
