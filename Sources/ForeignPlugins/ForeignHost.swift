import CivilTime
import Core
import Formats
import Foundation
import PluginKit
import Synchronization

/// The external plugins of a session: those installed and trusted, and those it loaded.
final class ForeignHost: Sendable {
    /// A plugin whose commands are registered.
    private struct Loaded: Sendable {
        let plugin: FoundPlugin
        let declaration: PluginDeclaration
        var connection: PluginConnection?
    }

    private struct State: Sendable {
        var setup = ExtensionSetup(
            files: FileAccess(unconfinedIn: URL(fileURLWithPath: "/")), wanted: [], owner: { _ in nil })
        var isRead = false
        var generation = 0
        var loaded: [String: Loaded] = [:]
        /// Why a plugin is not loaded, by its folder.
        var problems: [String: RutterError] = [:]
        /// The folders of the plugins listed by notebooks.
        var wanted: Set<String> = []
    }

    private let state = Mutex(State())

    /// Starts with a session, and loads the plugins that its notebook lists. They may be outside the folders
    /// that the notebook can read: they are trusted by their files.
    func begin(_ setup: ExtensionSetup) throws {
        state.withLock { $0.setup = setup }
        if !setup.wanted.isEmpty { try require(setup.wanted, setup.files) }
    }

    /// Loads the plugins that a notebook lists, with access to `files`. Throws `E-PLUGIN-CONFINED` if it may run none.
    func require(_ wanted: [String], _ files: FileAccess) throws {
        _ = try Self.folders(files)
        for name in wanted {
            let known = installed(name)
            let folder = known?.folder ?? Self.folder(name, files)
            if known == nil, PluginManifest.isName(name), !FileManager.default.fileExists(atPath: folder.path)
            {
                throw ForeignErrors.unknown(
                    "no plugin `\(name)` is installed, and there is no folder \(name) beside the notebook",
                    fix: "install it, or name its folder: plugins: [./\(name)]",
                    suggestion: Suggestion.nearest(to: name, in: names))
            }
            let plugin = try foundCopy(in: folder)
            try plugin.checkTrust()
            try add(plugin, try declaration(of: plugin))
            state.withLock { _ = $0.wanted.insert(plugin.folder.path) }
        }
    }

    /// The message and fix for an unknown command whose first word is the name of an installed plugin that is not loaded.
    func hint(forCommand word: String) -> (message: String, fix: String?)? {
        guard files.pluginFolders != nil, state.withLock({ $0.loaded[word] }) == nil,
            let plugin = installed(word)
        else { return nil }
        if let problem = state.withLock({ $0.problems[plugin.folder.path] }) {
            return ("the plugin `\(word)` is installed and cannot be loaded: \(problem.message)", problem.fix)
        }
        return plugin.trusted == nil
            ? (
                "the plugin `\(word)` is installed and not trusted",
                "read its files, then: plugin trust \(word)"
            )
            : ("the plugin `\(word)` is installed and not loaded", "plugin load \(word)")
    }

    /// The plugin folder that a notebook names, relative to its own.
    private static func folder(_ path: String, _ files: FileAccess) -> URL {
        if path.hasPrefix("/") { return URL(fileURLWithPath: path) }
        return (files.searchFolders.last ?? files.outputFolder).appendingPathComponent(path)
    }

    /// The installed plugin of that name; `nil` if there is none.
    private func installed(_ name: String) -> FoundPlugin? {
        guard PluginManifest.isName(name) else { return nil }
        // A folder's name may differ from its plugin's; folders without a plugin are listed as invalid.
        return installed().lazy.compactMap { try? self.found(in: $0) }.first { $0.name == name }
    }

    var generation: Int {
        readOnce()
        return state.withLock { $0.generation }
    }

    // MARK: Folders

    private var files: FileAccess { state.withLock { $0.setup.files } }

    /// The registers; the first is written to. Throws `E-PLUGIN-CONFINED` if plugins may not run.
    func registers() throws -> [TrustRegister] { try Self.folders(files).map { TrustRegister(folder: $0) } }

    /// Throws `E-PLUGIN-CONFINED` if plugins may not run: in a notebook without permission.
    static func checkAllowed(_ context: Context) throws { _ = try folders(context.files) }

    private static func folders(_ files: FileAccess) throws -> [URL] {
        if let folders = files.pluginFolders { return folders }
        throw ForeignErrors.confined(
            "this notebook is not allowed to run plugins", fix: "allow them: --allow-plugins")
    }

    /// The plugin in a folder, with its trust. Throws `E-PLUGIN-MANIFEST`, `E-FILE-MISSING`.
    func found(in folder: URL) throws -> FoundPlugin {
        let folder = folder.resolvingSymlinksInPath().standardizedFileURL
        let entry = try entries().first { $0.folder == folder.path }
        return FoundPlugin(
            folder: folder, manifest: try PluginManifest(in: folder), trusted: entry?.hash,
            files: entry?.files ?? [:])
    }

    /// The same; a copy of a trusted folder is trusted, too, because its files are identical.
    private func foundCopy(in folder: URL) throws -> FoundPlugin {
        let plugin = try found(in: folder)
        let entries = try entries()
        guard plugin.trusted == nil, !entries.isEmpty else { return plugin }
        let hash = try FilesDigest.of(plugin.folder).hash
        let isCopy = entries.contains { $0.hash == hash }
        return FoundPlugin(folder: plugin.folder, manifest: plugin.manifest, trusted: isCopy ? hash : nil)
    }

    private func entries() throws -> [TrustRegister.Entry] { try registers().flatMap { try $0.entries() } }

    /// The plugin of a name or path. Throws `E-PLUGIN-UNKNOWN` with the nearest name.
    func resolve(_ text: String, _ context: Context) throws -> FoundPlugin {
        if PluginManifest.isName(text) {
            if let loaded = state.withLock({ $0.loaded[text]?.plugin }) {
                return try foundCopy(in: loaded.folder)
            }
            if let plugin = installed(text) { return try foundCopy(in: plugin.folder) }
        }
        if let folder = wantedFolder(text, context.files) { return try foundCopy(in: folder) }
        if let folder = try? context.files.input(text, isProgram: true) { return try foundCopy(in: folder) }
        throw ForeignErrors.unknown(
            "unknown plugin `\(text)`", at: .parameter("plugin"),
            fix: "plugin list" + (text.contains("/") ? "" : ", or a path such as ./\(text)"),
            suggestion: Suggestion.nearest(to: text, in: names))
    }

    /// The folder of a plugin that a notebook lists, which may be outside the folders that its cells can
    /// read: relative to the notebook's folder, or to the working directory.
    private func wantedFolder(_ path: String, _ files: FileAccess) -> URL? {
        let wanted = state.withLock { $0.wanted }
        guard !wanted.isEmpty else { return nil }
        let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        return [Self.folder(path, files), here.appendingPathComponent(path)]
            .map { $0.resolvingSymlinksInPath().standardizedFileURL }.first { wanted.contains($0.path) }
    }

    /// The folders of the installed plugins.
    private func installed() -> [URL] {
        (files.pluginFolders ?? []).flatMap { home in
            // Without the folder there are no plugins.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
            return names.sorted().map { home.appendingPathComponent($0, isDirectory: true) }.filter {
                FileManager.default.fileExists(atPath: $0.appendingPathComponent(PluginManifest.file).path)
            }
        }
    }

    // MARK: Loaded plugins

    /// Reads the registers once, and loads the installed trusted plugins, without starting them.
    private func readOnce() {
        let (isRead, mayRun) = state.withLock { state in
            defer { state.isRead = true }
            return (state.isRead, state.setup.files.pluginFolders != nil)
        }
        guard !isRead, mayRun else { return }
        for folder in installed() {
            do {
                let plugin = try found(in: folder)
                if plugin.trusted != nil { try add(plugin, try declaration(of: plugin)) }
            } catch {
                state.withLock { $0.problems[folder.path] = error as? RutterError }
            }
        }
    }

    /// What a trusted plugin declared when it was trusted.
    private func declaration(of plugin: FoundPlugin) throws -> PluginDeclaration {
        let entries = try entries()
        let entry =
            entries.first { $0.folder == plugin.folder.path } ?? entries.first { $0.hash == plugin.trusted }
        guard let entry else {
            throw ForeignErrors.untrusted(
                "the plugin `\(plugin.name)` is not trusted",
                fix: "plugin trust \(Literal.text(plugin.folder.path))")
        }
        return try read(entry.declaration, of: plugin)
    }

    /// Reads an answer to `initialize`. Throws `E-PLUGIN-DECLARATION`.
    func read(_ answer: JSONTree, of plugin: FoundPlugin) throws -> PluginDeclaration {
        do {
            return try PluginDeclaration(answer, of: plugin.manifest)
        } catch {
            throw ForeignErrors.declaration(
                "the plugin `\(plugin.name)`: \(error)",
                fix: error.fix ?? "correct it, then: plugin trust \(Literal.text(plugin.folder.path))")
        }
    }

    private func add(_ plugin: FoundPlugin, _ declaration: PluginDeclaration) throws {
        try state.withLock { state in
            if let other = state.loaded[plugin.name], other.plugin.folder != plugin.folder {
                throw ForeignErrors.declaration(
                    "the plugin `\(plugin.name)` is already loaded from \(other.plugin.folder.path)",
                    fix: "plugin unload \(plugin.name)")
            }
            for command in declaration.commands {
                if let owner = state.setup.owner(command.spec.name) {
                    throw ForeignErrors.declaration(
                        "`\(command.spec.name)` of the plugin `\(plugin.name)` is already a command of `\(owner)`",
                        fix: "rename the plugin's command")
                }
                if let other = state.loaded.values.first(where: { known in
                    known.plugin.name != plugin.name
                        && known.declaration.commands.contains { $0.spec.name == command.spec.name }
                }) {
                    throw ForeignErrors.declaration(
                        "`\(command.spec.name)` of the plugin `\(plugin.name)` is already a command of `\(other.plugin.name)`",
                        fix: "plugin unload \(other.plugin.name)")
                }
            }
            state.loaded[plugin.name] = Loaded(plugin: plugin, declaration: declaration)
            state.generation += 1
        }
    }

    /// Loads a trusted plugin for this session. Throws `E-PLUGIN-UNTRUSTED` and errors in its declarations.
    func load(_ plugin: FoundPlugin) async throws {
        readOnce()
        try plugin.checkTrust()
        let old = state.withLock { $0.loaded[plugin.name]?.connection }
        try add(plugin, try declaration(of: plugin))
        await old?.shutDown()
    }

    /// Stops a plugin and removes its commands from this session. Throws `E-PLUGIN-UNKNOWN`.
    func unload(_ name: String) async throws {
        readOnce()
        let gone = state.withLock { state in
            let loaded = state.loaded.removeValue(forKey: name)
            if loaded != nil { state.generation += 1 }
            return loaded
        }
        guard let gone else {
            throw ForeignErrors.unknown(
                "no plugin `\(name)` is loaded", at: .parameter("plugin"),
                suggestion: Suggestion.nearest(to: name, in: names))
        }
        await gone.connection?.shutDown()
    }

    /// Stops the plugin of a folder whose trust was revoked, and removes its commands from this session.
    func forget(_ plugin: FoundPlugin) async throws {
        let isLoaded = state.withLock { $0.loaded[plugin.name]?.plugin.folder == plugin.folder }
        if isLoaded { try await unload(plugin.name) }
    }

    /// The names of loaded and installed plugins.
    var names: [String] {
        readOnce()
        let loaded = state.withLock { Array($0.loaded.keys) }
        return Set(loaded + installed().compactMap { try? found(in: $0).name }).sorted()
    }

    /// The loaded and installed plugins, by name; the summary of an invalid one is its error.
    func listed() throws -> [InstalledPlugin] {
        readOnce()
        let (loaded, problems) = state.withLock { ($0.loaded, $0.problems) }
        let homes = installed() + loaded.values.map(\.plugin.folder)
        var seen: Set<String> = []
        var all: [InstalledPlugin] = []
        for folder in homes where seen.insert(folder.resolvingSymlinksInPath().path).inserted {
            do {
                let plugin = try foundCopy(in: folder)
                let known = loaded[plugin.name].flatMap { $0.plugin.folder == plugin.folder ? $0 : nil }
                let isSame = try plugin.trusted.map { try FilesDigest.of(plugin.folder).hash == $0 }
                let status =
                    isSame == nil
                    ? "untrusted" : isSame == false ? "changed" : known == nil ? "trusted" : "loaded"
                all.append(
                    InstalledPlugin(
                        name: plugin.name, version: plugin.manifest.version, status: status,
                        commands: known?.declaration.commands.count ?? 0, folder: plugin.folder.path,
                        summary: problems[folder.path]?.message ?? plugin.manifest.summary))
            } catch let error as RutterError {
                all.append(
                    InstalledPlugin(
                        name: folder.lastPathComponent, version: "", status: "invalid", commands: 0,
                        folder: folder.path, summary: error.message))
            }
        }
        return all.sorted { ($0.name, $0.folder) < ($1.name, $1.folder) }
    }

    /// The commands of all loaded plugins.
    var extensions: [CommandExtension] {
        let wanted = state.withLock { $0.wanted }
        return state.withLock { Array($0.loaded.values) }.sorted { $0.plugin.name < $1.plugin.name }.map {
            loaded in
            let manifest = loaded.plugin.manifest
            let isInstalled = installed().contains {
                $0.resolvingSymlinksInPath().path == loaded.plugin.folder.path
            }
            let isWanted = wanted.contains(loaded.plugin.folder.path)
            return CommandExtension(
                name: manifest.name, version: manifest.version,
                reference: isInstalled ? manifest.name : isWanted ? loaded.plugin.folder.path : nil,
                summary: manifest.summary,
                commands: loaded.declaration.commands.map { command($0.spec, $0.completes, loaded) },
                errors: loaded.declaration.errors)
        }
    }

    // MARK: Conversations

    /// The parameters of `initialize`.
    static func greeting(_ context: Context) -> JSONTree {
        JSONTree(members: [
            "protocol": JSONTree(ForeignSettings.protocolNumber), "host": .text("rutter"),
            "workspace": .text(context.workspace.path), "locale": .text("en"),
            "timezone": .text(context.environment.timeZone.identifier),
            "units": .text(context.environment.units.rawValue),
        ])
    }

    /// The conversation with a plugin. Throws `E-PLUGIN-UNKNOWN` if it was unloaded meanwhile.
    private func connection(_ plugin: FoundPlugin, _ context: Context) throws -> PluginConnection {
        try state.withLock { state in
            guard let loaded = state.loaded[plugin.name], loaded.plugin.folder == plugin.folder else {
                throw ForeignErrors.unknown("the plugin `\(plugin.name)` is not loaded any more")
            }
            if let known = loaded.connection { return known }
            let made = PluginConnection(plugin, greeting: Self.greeting(context))
            state.loaded[plugin.name]?.connection = made
            return made
        }
    }

    private func command(
        _ spec: CommandSpec, _ completes: PluginDeclaration.Completing, _ loaded: Loaded
    ) -> Command {
        var parameters = spec.parameters
        for index in parameters.indices where completes.contains(parameters[index].name) {
            let name = parameters[index].name
            parameters[index].completer = { [weak self] text, context in
                await self?.candidates(loaded.plugin, spec.name, name, text, context) ?? []
            }
        }
        let declared = CommandSpec(
            spec.name, spec.summary, details: spec.details, parameters: parameters, input: spec.input,
            output: spec.output, effect: spec.effect, examples: spec.examples, searchTerms: spec.searchTerms)
        return Command(definition: declared) { [self] arguments, input, context in
            try await run(declared, loaded, arguments, input, context)
        }
    }

    private func run(
        _ spec: CommandSpec, _ loaded: Loaded, _ arguments: [String: Value], _ input: Value,
        _ context: Context
    ) async throws -> Value {
        try Self.checkAllowed(context)
        let coding = ValueCoding(
            timeZone: context.environment.timeZone, summaryFields: loaded.declaration.summaryFields)
        let call = RunningCall(spec, context, coding)
        let given = try spec.parameters.compactMap { parameter in
            try (arguments[parameter.name] ?? (parameter.repeats ? .list([]) : nil))
                .map { JSONTree.Member(parameter.name, try coding.tree($0)) }
        }
        let input = try spec.taken(input, by: loaded.plugin.name)
        // 53 bits: integers that every language reads from JSON without loss.
        let seed = Int(context.random.next() >> 11)
        let result = try await connection(loaded.plugin, context).ask(
            "run",
            [
                .init("command", .text(spec.name)), .init("arguments", .object(given)),
                .init("input", try coding.tree(input)), .init("seed", JSONTree(seed)),
                .init("clock", .text(ISO8601.text(context.clock.now))),
            ], limit: loaded.plugin.manifest.callLimit, during: call)
        do {
            let value = try call.finish(result)
            if let fault = spec.fault(ofOutput: value, from: input) { throw JSONFault(fault) }
            return value
        } catch let fault as JSONFault {
            throw loaded.plugin.nonsense("\(fault)")
        }
    }

    /// Candidates for a word; none if the plugin fails or is slow, since completion is optional.
    private func candidates(
        _ plugin: FoundPlugin, _ command: String, _ parameter: String, _ text: String, _ context: Context
    ) async -> [ParameterKind.Choice] {
        guard let connection = try? connection(plugin, context) else { return [] }
        let quote = text.first.flatMap { "'\"".contains($0) ? $0 : nil }
        let begun = quote == nil ? text : String(text.dropFirst())
        let params: [JSONTree.Member] = [
            .init("command", .text(command)), .init("parameter", .text(parameter)),
            .init("text", .text(begun)),
        ]
        // A slow plugin, or its start, must not block the prompt: the request continues without a listener.
        let (answers, listener) = AsyncStream<JSONTree?>.makeStream()
        let timer = Task {
            try? await Task.sleep(for: ForeignSettings.timeouts.completion)
            listener.yield(nil)
        }
        Task { listener.yield(try? await connection.candidates(params)) }
        defer { timer.cancel() }
        let answer = await answers.first { _ in true } ?? nil
        return (answer?["candidates"]?.items ?? []).compactMap { item in
            let word = TerminalText.withoutControls(item.text ?? item["word"]?.text ?? "")
            guard !word.isEmpty, word.lowercased().hasPrefix(begun.lowercased()) else { return nil }
            let isBare = quote == nil && !word.contains { $0.isWhitespace || "|;#()[]{}$'\"\\".contains($0) }
            let isPlain = quote != "\"" && !word.contains("'")
            return ParameterKind.Choice(
                isBare ? word : isPlain ? "'\(word)'" : Literal.quoted(word),
                TerminalText.withoutControls(item["summary"]?.text ?? ""))
        }
    }

    /// Stops all running plugins.
    func close() async {
        let running = state.withLock { $0.loaded.values.compactMap(\.connection) }
        for connection in running { await connection.shutDown() }
    }
}
