import CivilTime
import Foundation
import Pictures
import PluginKit

/// A session: variables, stores, clock and plugins; runs entries.
public actor Session {
    /// All current commands.
    public var registry: CommandRegistry { catalog.all }
    let catalog: CommandCatalog
    /// The built-in commands that may run beside others.
    let asideCommands: Set<String>
    /// All plugins in the order they were given.
    public let plugins: [any Plugin]
    /// The entries run so far and their output, for `notebook save`.
    public private(set) var transcript: [TranscriptEntry] = []
    /// The coverage so far.
    public private(set) var usage = SessionUsage()
    /// Named values; `_` is the last one shown.
    var variables: [String: Value] = [:]
    var environment: Environment
    /// What `set color` says in a session that never colours; `nil` in others.
    var plainColor: Bool?
    /// The width of a notebook of this session, in columns.
    var recordedWidth: Int
    var pluginSettings: [String: Value]
    let configuration: SessionConfiguration
    /// The file that the prompt runs at its start; `nil` where there is none.
    public nonisolated var startFile: URL? { configuration.startFile }
    let pluginMakers: @Sendable () -> [any Plugin]
    let startTime: Timestamp
    let random: RandomSource
    let journal = Journal()
    let stores = OpenStores()
    let shownMap = ShownMap()
    let workspace: ActiveWorkspace
    /// The files that may be used: restricted while a notebook runs in the session.
    var files: FileAccess
    /// The running notebooks.
    var nesting: NotebookNesting
    /// The workspace's content when the session began.
    private(set) var firstState: WorkspaceState?
    private let handle: SessionHandle
    nonisolated let capabilities: [any Capability]
    private var pendingFailure: RutterError?
    private var output = EntryOutput()
    /// Texts that were broken for the terminal, and how a notebook has them: `$_` and other variables show them again.
    private var brokenTexts: [String: String] = [:]
    /// The current call depth of definitions and files.
    var callDepth = 0
    /// Whether commands may use the terminal: not while cells of a notebook run.
    var allowsScreen = true
    /// The words after a script's name, for `args`.
    var scriptArguments: [String]
    private var isQuitting = false
    private(set) var isOpen = false
    /// Number of commands run so far that change the workspace.
    private(set) var changes = 0
    let gate = EntryGate()
    let observers = EntryObservers()

    /// An entry and its output.
    public struct TranscriptEntry: Sendable {
        /// What was typed.
        public let input: String
        /// Renders its values for a terminal.
        let values: @Sendable () -> String?
        /// The error in words, when there is one.
        let errorText: String?
        /// Whether it failed.
        public let failed: Bool
        /// Whether the user stopped it.
        var wasStopped = false
        /// The time it read from a running clock; `nil` if it read none or the clock was stopped.
        public let time: Timestamp?
        /// The zone in which that time is shown.
        var timeZone = TimeZone.gmt

        /// Its terminal output; `nil` if it was not kept because many rows went to a pipe.
        public var output: String? {
            guard let shown = values() else { return nil }
            guard let errorText else { return shown }
            return shown.isEmpty ? errorText : shown + "\n" + errorText
        }
    }

    /// A session with the plugins that a closure makes; `notebook test` calls it again for its own sessions.
    public init(
        configuration: SessionConfiguration, plugins makePlugins: @escaping @Sendable () -> [any Plugin]
    ) throws {
        let plugins = makePlugins()
        pluginMakers = makePlugins
        startTime = configuration.clock.now
        let handle = SessionHandle()
        self.handle = handle
        var registry = CommandRegistry()
        let stateful = HostCommands.stateful(handle)
        try registry.add(HostCommands.stateless + stateful, origin: "host", group: .session)
        for plugin in plugins {
            try registry.add(plugin.commands, origin: plugin.name, group: plugin.commandGroup)
        }
        let extensible = plugins.compactMap { $0 as? any ExtensiblePlugin }
        catalog = CommandCatalog(registry, sources: extensible)
        asideCommands = Set(registry.names).subtracting(stateful.map(\.name))
        self.configuration = configuration
        workspace = ActiveWorkspace(home: configuration.workspace)
        self.plugins = plugins
        environment = configuration.environment
        recordedWidth = configuration.environment.width
        plainColor = configuration.isPlain ? configuration.environment.color : nil
        random = RandomSource(seed: configuration.seed)
        capabilities = plugins.flatMap(\.capabilities)
        pluginSettings = [:]
        files = configuration.files
        nesting = configuration.nesting
        for plugin in extensible {
            try plugin.begin(
                ExtensionSetup(files: files, wanted: configuration.wantedPlugins) { [registry] in
                    registry[$0]?.origin
                })
        }
        scriptArguments = configuration.arguments
        handle.attach(self)
    }

    /// Prepares the workspace and the plugins; called by the first entry.
    func open() async throws {
        if isOpen { return }
        firstState = WorkspaceState(configuration.workspace)
        do {
            try FileManager.default.createDirectory(
                at: configuration.workspace, withIntermediateDirectories: true,
                // Hikes and places are private, whatever the umask.
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommonErrors.workspace(
                "the workspace \(configuration.workspace.path) cannot be created",
                fix: "choose one with --workspace DIR")
        }
        isOpen = true
        for plugin in plugins {
            for setting in plugin.settings {
                pluginSettings[setting.name] = try await settingValue(setting.defaultText, for: setting)
            }
            try await plugin.open(context(tracing: nil))
        }
    }

    /// Ends the session: plugins close their open resources.
    public func close() async {
        for plugin in plugins { await plugin.close() }
    }

    /// Ends the session after the current entry.
    func quit() { isQuitting = true }

    /// Makes the current entry fail after its pipeline has run, although it returns a value, as for a notebook whose
    /// output differs.
    func fail(with error: RutterError) { pendingFailure = error }

    // MARK: Running

    /// Runs an entry of one or more lines. Never throws: the result contains the error. An entry that another
    /// one runs (`notebook run`) is not `recorded`: the transcript has its caller instead. `origin` is the
    /// entry's location in a file, for errors. With a collector, its commands record their decisions.
    public nonisolated func run(
        _ entry: String, recorded: Bool = true, origin: EntryOrigin? = nil, tracing: TraceCollector? = nil
    ) async -> EntryResult {
        await gate.pass { [self] in
            await withTaskExecutorPreference(configuration.executor) {
                await RowLimit.$current.withValue(await environment.rowLimit) {
                    await result(of: entry, recorded: recorded, origin: origin, tracing: tracing)
                }
            }
        }
    }

    private func result(
        of entry: String, recorded: Bool, origin: EntryOrigin?, tracing: TraceCollector?
    ) async -> EntryResult {
        if recorded { configuration.clock.beginEntry() }
        let changesBefore = changes
        // A clock that this entry stops was read where it stood before.
        let zone = environment.timeZone
        let running = configuration.clock.isFollowing ? configuration.clock.trueNow : nil
        let outer = output
        defer { output = outer }
        output = EntryOutput(
            sink: configuration.output, live: configuration.live,
            display: recorded ? configuration.display : nil, showsJSON: configuration.showsJSON)
        for (text, plain) in brokenTexts { output.record(text, as: plain) }
        var last = Value.nothing
        var failure: RutterError?
        do {
            let script = try parse(entry)
            if !script.pipelines.isEmpty {
                do {
                    try await open()
                } catch let error as RutterError
                    where error.code == CommonErrors.workspace.code && script.isPure
                {
                    // Arithmetic needs no workspace.
                }
            }
            var queue = PipelineQueue(script)
            while let pipeline = try next(in: &queue, of: entry) {
                let direct = environment.isPipe ? output.direct : nil
                let streams = configuration.streams
                do {
                    last = try await DirectOutput.$current.withValue(direct) {
                        try await StandardStreams.$current.withValue(streams) {
                            try await execute(pipeline, entry: entry, tracing: tracing)
                        }
                    }
                } catch {
                    _ = streams?.drain(passing: false)
                    throw error
                }
                if streams?.drain(passing: true) == true, case .text(let message) = last {
                    // What the command says is no part of the data.
                    output.note(message)
                } else {
                    try await present(last)
                }
                if case .nothing = last {} else { setVariable("_", to: last) }
                if let pendingFailure { throw pendingFailure }
                if isQuitting { break }
            }
        } catch {
            failure = Self.asRutterError(error)
        }
        pendingFailure = nil
        if let failure { usage.errors.insert(failure.code) }
        let redaction = Redaction(entry)
        if recorded || changes > changesBefore {
            observers.notify(
                EntryEvent(
                    entry: redaction.entry, failed: failure != nil,
                    hasChanged: changes > changesBefore))
        }
        let plainError = failure.map {
            redaction.without(ErrorRenderer(color: false).text($0, entry: redaction.entry, origin: origin))
        }
        let result = EntryResult(
            output: redaction.without(output.text),
            errorText: failure.map {
                redaction.without(
                    ErrorRenderer(color: environment.color, width: environment.widthOfMessages).text(
                        $0, entry: redaction.entry, origin: origin))
            },
            value: last, failure: failure, quits: isQuitting, notes: output.notes)
        if recorded {
            transcript.append(
                TranscriptEntry(
                    input: redaction.entry, values: output.record,
                    errorText: plainError, failed: failure != nil,
                    wasStopped: failure?.code == CommonErrors.interrupted.code,
                    time: configuration.clock.readInEntry
                        ?? (configuration.clock.isFollowing ? nil : running), timeZone: zone))
        }
        return result
    }

    /// Whether to stop before the next pipeline.
    var isStopping: Bool { isQuitting || pendingFailure != nil }

    /// The failure of a pipeline that returned a value, once.
    func takeFailure() -> RutterError? {
        defer { pendingFailure = nil }
        return pendingFailure
    }

    func replaceDefinition(_ command: Command) { catalog.define(command, origin: Self.definitions) }

    func restoreVariable(_ name: String, to value: Value?) { variables[name] = value }

    func parse(
        _ entry: String, from position: Int = 0, isBlock: Bool = false
    ) throws(RutterError) -> Script {
        if position == 0, let fault = TypographicSigns.fault(in: entry) { throw fault }
        do {
            return try Parser.parse(
                entry, from: position, isBlock: isBlock,
                lookUp: { [catalog] name in
                    (catalog[name] ?? Habits.commands[name].flatMap { catalog[$0] })?.command
                },
                names: { [catalog] in catalog.all.names })
        } catch  where Habits.fix(ofEntry: entry) != nil {
            var copy = error
            (copy.suggestion, copy.fix) = (nil, Habits.fix(ofEntry: entry))
            throw copy
        } catch  where error.kind == LanguageErrors.unknownCommand {
            throw hinting(error, entry)
        }
    }

    /// The next pipeline of an entry, with the current commands.
    func next(in queue: inout PipelineQueue, of entry: String) throws(RutterError) -> Pipeline? {
        let isBlock = queue.isBlock
        return try queue.next { (position) throws(RutterError) in
            try parse(entry, from: position, isBlock: isBlock)
        }
    }

    /// Runs a pipeline; its value may be an unread stream.
    func execute(
        _ pipeline: Pipeline, input: Value = .nothing, entry: String, tracing: TraceCollector?
    ) async throws -> Value {
        do {
            return try await value(of: pipeline, input: input, entry: entry, tracing: tracing)
        } catch {
            // Expected errors count, too: `expect-error` uses them.
            usage.errors.insert(Self.asRutterError(error).code)
            throw error
        }
    }

    private func value(
        of pipeline: Pipeline, input: Value, entry: String, tracing: TraceCollector?
    ) async throws -> Value {
        try PipelineTypes.check(pipeline)
        var value = input
        if let head = pipeline.head {
            let binder = binder(context(tracing: tracing), entry: entry)
            value = try Evaluator(scope: try await binder.resolvingReferences(in: [head])).value(head)
        }
        let direct = DirectOutput.current
        for (index, call) in pipeline.calls.enumerated() {
            let isLast = index == pipeline.calls.count - 1 && call.command.spec.name == "to"
            let input = value
            let isPiped = index > 0 || pipeline.head != nil
            value = try await PipelineInput.$isPiped.withValue(isPiped) {
                try await DirectOutput.$current.withValue(isLast ? direct : nil) {
                    try await execute(call, input: input, entry: entry, tracing: tracing)
                }
            }
        }
        return value
    }

    private func execute(
        _ call: Call, input: Value, entry: String, tracing: TraceCollector?
    ) async throws -> Value {
        let context = context(tracing: tracing)
        try context.checkCancelled()
        let name = call.command.spec.name
        if let aside = AsideRun.current, !runsAside(call) { throw aside.refuse() }
        try PipelineLimit.check(call)
        usage.commands.insert(name)
        if call.effect == .changes { changes += 1 }
        for option in call.options { usage.options.insert("\(name) --\(option.name)") }
        do {
            let arguments = try await binder(context, entry: entry).arguments(for: call)
            // A definition may be newer than the parsed call, as for one earlier in the same entry.
            let known = registry[name]
            let command = known?.origin == Self.definitions ? known?.command ?? call.command : call.command
            var value = try await UnitSystem.$ofMessages.withValue(context.environment.units) {
                try await command.run(arguments, input: input, context: context)
            }
            // The rows of the first stream of a pipeline show its progress.
            if AsideRun.current == nil, case .rows(let rows) = value, rows.isLazy, !input.isLazy {
                value = .rows(context.progress.watching(rows))
            }
            if AsideRun.current == nil, case .object(let picture as any MapPicture) = value {
                shownMap.show(ShownMap.View(picture.mapView))
            }
            if case .rows(let rows) = input {
                if let cut = rows.cut { pass(cut, to: &value, of: name, context) }
                if let note = rows.note { pass(note: note, to: &value, context) }
            }
            return value.mappingStreamErrors { $0.located(in: call) }
        } catch {
            throw Self.asRutterError(error).located(in: call)
        }
    }

    /// The output of a command that read incomplete rows is incomplete, too: rows are marked, and other
    /// values get a notice because they cannot be marked.
    private func pass(_ cut: Cut, to value: inout Value, of name: String, _ context: Context) {
        if case .rows(var rows) = value {
            rows.cut = rows.cut ?? cut
            value = .rows(rows)
        } else {
            context.log.notice("`\(name)` worked on rows that are \(cut.summary)")
        }
    }

    /// What is said of rows holds for what is made of them: rows keep it, and of other values it is a notice.
    private func pass(note: String, to value: inout Value, _ context: Context) {
        guard case .rows(var rows) = value else { return context.log.notice("\(note)") }
        guard rows.note?.contains(note) != true else { return }
        rows.note = Rows.note([rows.note, note])
        value = .rows(rows)
    }

    private func binder(_ context: Context, entry: String) -> Binder {
        let scope = Scope(
            variables: variables, references: [:],
            time: TimeContext(clock: context.clock, timeZone: context.environment.timeZone),
            units: context.environment.units)
        return Binder(
            context: context, scope: scope,
            deferred: { pipeline, text in
                DeferredPipeline(text: text) { tracing in
                    try await self.execute(pipeline, entry: entry, tracing: tracing ?? context.tracing)
                }
            },
            block: { script, text in
                DeferredBlock(text: text) {
                    try await self.execute(script, entry: entry, tracing: context.tracing)
                }
            })
    }

    /// Runs the pipelines of a block: prints the values of all but the last one and returns that of the last one.
    private func execute(_ script: Script, entry: String, tracing: TraceCollector?) async throws -> Value {
        var last = Value.nothing
        var queue = PipelineQueue(script)
        while let pipeline = try next(in: &queue, of: entry) {
            try show(last)
            last = try await execute(pipeline, entry: entry, tracing: tracing)
            if AsideRun.current == nil, pendingFailure != nil || isQuitting { break }
        }
        return last
    }

    /// Shows the value of a pipeline. Its rows may be computed only now, which takes time: meanwhile the session can be asked.
    private func present(_ value: Value) async throws {
        if case .nothing = value { return }
        try await Self.show(value, output, environment, plain: recordedEnvironment)
    }

    /// How a notebook of the session has a text of the current entry that was broken for the terminal.
    func record(_ text: String, as plain: String) {
        output.record(text, as: plain)
        brokenTexts[text] = plain
    }

    private nonisolated static func show(
        _ value: Value, _ output: EntryOutput, _ environment: Environment, plain: Environment
    ) async throws {
        try output.show(value, environment, plain: plain)
    }

    /// Shows a value as part of the current entry's output.
    func show(_ value: Value) throws {
        if case .nothing = value { return }
        try output.show(value, environment, plain: recordedEnvironment)
    }

    /// The context that this session passes to commands.
    func context(tracing: TraceCollector?) -> Context {
        let aside = AsideRun.current
        let progress =
            EntryProgress.sink.map { ProgressReporter(rows: configuration.progress.rows, sink: $0.receive) }
            ?? (aside == nil ? configuration.progress : ProgressReporter())
        return Context(
            clock: configuration.clock, random: random, environment: aside?.environment ?? environment,
            workspace: workspace, files: aside?.files ?? files, journal: journal, stores: stores,
            progress: progress, log: DeduplicatingLog.logger(configuration.log),
            capabilities: capabilities,
            settings: pluginSettings, screen: allowsScreen && aside == nil ? configuration.screen : nil,
            tracing: tracing,
            variables: variables,
            record: SessionRecorder(session: handle, scratch: configuration.workspace),
            pipelines: SessionPipelines(session: handle), entries: SessionEntries(session: handle),
            shownMap: shownMap)
    }

    /// A setting's value from text, checked like a parameter.
    func settingValue(_ text: String, for setting: SettingSpec) async throws -> Value {
        try await value(
            ofWord: text,
            for: ParameterSpec(
                name: setting.name, style: .positional, kind: setting.kind, help: setting.help,
                isRequired: true, defaultText: setting.defaultText))
    }

    /// The value of a word for a parameter.
    func value(ofWord text: String, for parameter: ParameterSpec) async throws -> Value {
        let context = context(tracing: nil)
        let time = TimeContext(clock: context.clock, timeZone: environment.timeZone)
        return try await Coercion(context: context, time: time, parameter: parameter).value(ofBare: text)
    }

    // MARK: Errors

    /// Converts every error to a typed one; unexpected errors become `E-INTERNAL`.
    static func asRutterError(_ error: any Error) -> RutterError {
        if let known = error as? RutterError { return known }
        if error is CancellationError { return Interruption.stopped }
        return SessionErrors.unforeseen("\(error)")
    }
}
