import PluginKit
import Synchronization

/// The commands of a session: those that are built in or defined in it, and those that plugins of others bring at present.
/// The latter are asked for only when a name is not among the former, or when all are listed.
final class CommandCatalog: Sendable {
    private struct State: Sendable {
        var own: CommandRegistry
        /// The state of the plugins of others for which the rest was made.
        var generations: [Int]?
        var all: CommandRegistry
        var extensions: [CommandExtension] = []
    }

    private let sources: [any ExtensiblePlugin]
    private let state: Mutex<State>

    init(_ builtIn: CommandRegistry, sources: [any ExtensiblePlugin]) {
        self.sources = sources
        state = Mutex(State(own: builtIn, all: builtIn))
    }

    /// A command by its full name.
    subscript(name: String) -> CommandRegistry.Entry? { state.withLock { $0.own[name] } ?? present.all[name] }

    /// All commands at present.
    var all: CommandRegistry { present.all }

    /// The plugins of others whose commands are among them.
    var extensions: [CommandExtension] { present.extensions }

    /// Loads the plugins of others that a notebook lists, which may use `files`. Throws where one cannot be used.
    func require(_ wanted: [String], _ files: FileAccess) throws {
        for source in sources { try source.require(wanted, files: files) }
    }

    /// What to do for a command of that first word, where a plugin of others has it that is not loaded.
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

    private var present: State {
        let generations = sources.map(\.generation)
        if let known = state.withLock({ $0.generations == generations ? $0 : nil }) { return known }
        let found = sources.flatMap(\.extensions)
        return state.withLock { state in
            state.generations = generations
            state.all = state.own
            state.extensions = []
            for item in found {
                // A plugin whose command is taken is refused when it is loaded; a definition of the session comes later.
                guard (try? state.all.add(item.commands, origin: item.name)) != nil else { continue }
                state.extensions.append(item)
            }
            return state
        }
    }
}
