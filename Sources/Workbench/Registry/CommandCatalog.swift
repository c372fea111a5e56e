import PluginKit
import Synchronization

/// The commands of a session: those that are built in, and those that plugins of others bring at present. The latter are
/// asked for only when a name is not built in, or when all are listed.
final class CommandCatalog: Sendable {
    private struct Known: Sendable {
        var generations: [Int] = []
        var registry: CommandRegistry
        var extensions: [CommandExtension] = []
    }

    /// The commands that are built in.
    let builtIn: CommandRegistry
    private let sources: [any ExtensiblePlugin]
    private let known: Mutex<Known?>

    init(_ builtIn: CommandRegistry, sources: [any ExtensiblePlugin]) {
        self.builtIn = builtIn
        self.sources = sources
        known = Mutex(nil)
    }

    /// A command by its full name.
    subscript(name: String) -> CommandRegistry.Entry? {
        builtIn[name] ?? (sources.isEmpty ? nil : all[name])
    }

    /// All commands at present.
    var all: CommandRegistry { sources.isEmpty ? builtIn : present.registry }

    /// The plugins of others whose commands they are.
    var extensions: [CommandExtension] { sources.isEmpty ? [] : present.extensions }

    private var present: Known {
        // Reading what there is may change the generation, so it comes first.
        let found = sources.flatMap(\.extensions)
        let generations = sources.map(\.generation)
        return known.withLock { known in
            if let known, known.generations == generations { return known }
            var next = Known(generations: generations, registry: builtIn)
            for item in found {
                // A plugin whose command is taken is refused when it is loaded.
                guard (try? next.registry.add(item.commands, origin: item.name)) != nil else { continue }
                next.extensions.append(item)
            }
            known = next
            return next
        }
    }
}
