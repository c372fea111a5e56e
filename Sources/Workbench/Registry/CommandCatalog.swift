import PluginKit
import Synchronization

/// The commands of a session: built-in commands, definitions, and the commands of external plugins. External
/// plugins are queried only for an unknown name or when all commands are listed.
final class CommandCatalog: Sendable {
    private struct State: Sendable {
        var own: CommandRegistry
        /// The state of the external plugins that the cache was built for.
        var generations: [Int]?
        var all: CommandRegistry
        var extensions: [CommandExtension] = []
        /// The index of help, once it was needed.
        var search: HelpSearch?
    }

    private let sources: [any ExtensiblePlugin]
    private let state: Mutex<State>

    init(_ builtIn: CommandRegistry, sources: [any ExtensiblePlugin]) {
        self.sources = sources
        state = Mutex(State(own: builtIn, all: builtIn))
    }

    /// A command by its full name.
    subscript(name: String) -> CommandRegistry.Entry? { state.withLock { $0.own[name] } ?? present.all[name] }

    /// All current commands.
    var all: CommandRegistry { present.all }

    /// The external plugins whose commands are included.
    var extensions: [CommandExtension] { present.extensions }

    /// Loads the external plugins that a notebook lists, with access to `files`. Throws if one cannot be used.
    func require(_ wanted: [String], _ files: FileAccess) throws {
        for source in sources { try source.require(wanted, files: files) }
    }

    /// The fix for an unknown command whose first word belongs to an external plugin that is not loaded.
    func hint(forCommand word: String) -> (message: String, fix: String?)? {
        sources.lazy.compactMap { $0.hint(forCommand: word) }.first
    }

    /// Adds a command, or replaces one.
    func define(_ command: Command, origin: String) {
        state.withLock {
            $0.own.define(command, origin: origin)
            $0.generations = nil
        }
    }

    /// The index of help, which is kept until the commands change.
    func search(settings: [SettingSpec]) -> HelpSearch {
        let present = present
        if let search = present.search { return search }
        let search = HelpSearch(present.all, settings: settings)
        state.withLock { if $0.generations == present.generations { $0.search = search } }
        return search
    }

    private var present: State {
        let generations = sources.map(\.generation)
        if let known = state.withLock({ $0.generations == generations ? $0 : nil }) { return known }
        let found = sources.flatMap(\.extensions)
        return state.withLock { state in
            state.generations = generations
            state.all = state.own
            state.extensions = []
            state.search = nil
            for item in found {
                // Loading a plugin fails if a command name is taken; a session's definition may come later.
                guard (try? state.all.add(item.commands, origin: item.name, group: .external)) != nil else {
                    continue
                }
                state.extensions.append(item)
            }
            return state
        }
    }
}
