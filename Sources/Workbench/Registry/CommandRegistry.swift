import PluginKit
import Synchronization

/// All commands of a session by name, those of the host and of its plugins.
public struct CommandRegistry: Sendable {
    /// A command and its origin.
    public struct Entry: Sendable {
        private let source: CommandSource
        /// The name of the plugin that defines it; `host` for the workbench's own.
        public let origin: String
        /// What it is for.
        public let group: CommandGroup

        fileprivate init(_ provider: any CommandProvider, origin: String, group: CommandGroup) {
            source = CommandSource(provider)
            self.origin = origin
            self.group = provider.group ?? group
        }

        /// The command.
        public var command: Command { source.command }
    }

    private var byName: [String: Entry] = [:]

    /// An empty registry.
    public init() {}

    /// All names in alphabetical order.
    public private(set) var names: [String] = []

    /// All entries in alphabetical order of their names.
    public var entries: [Entry] { names.compactMap { byName[$0] } }

    /// A command by its full name.
    public subscript(name: String) -> Entry? { byName[name] }

    /// The command that a name means: one of that name, or of which it is another name.
    func meant(_ name: String) -> Entry? { self[name] ?? Habits.commands[name].flatMap { self[$0] } }

    /// The groups that have commands, each with its commands by name.
    public var groups: [(group: CommandGroup, entries: [Entry])] {
        let grouped = Dictionary(grouping: entries, by: \.group)
        return CommandGroup.allCases.compactMap { group in grouped[group].map { (group, $0) } }
    }

    /// Adds commands, those that do not say what they are for to `group`. Throws `E-PLUGIN-TAKEN` or `E-PLUGIN-NAME` for a duplicate or malformed name.
    public mutating func add(_ commands: [any CommandProvider], origin: String, group: CommandGroup)
        throws(RutterError)
    {
        for command in commands {
            let name = command.name
            guard Self.isWellFormed(name) else {
                throw RegistryErrors.malformed(
                    "plugin `\(origin)` defines a command with the invalid name `\(name)`")
            }
            if let other = byName[name] {
                throw RegistryErrors.taken(
                    "`\(name)` of plugin `\(origin)` is already defined by `\(other.origin)`")
            }
            byName[name] = Entry(command, origin: origin, group: group)
            names.append(name)
        }
        names.sort()
    }

    /// Adds a definition of the user, or replaces one.
    mutating func define(_ command: Command, origin: String) {
        byName[command.spec.name] = Entry(command, origin: origin, group: .own)
        names = byName.keys.sorted()
    }

    /// Removes all commands of a plugin.
    public mutating func remove(origin: String) {
        byName = byName.filter { $0.value.origin != origin }
        names = byName.keys.sorted()
    }

    /// The second words of the commands that begin with a word.
    func secondWords(after first: String) -> [String] {
        names.filter { $0.hasPrefix(first + " ") }.map { String($0.dropFirst(first.count + 1)) }
    }

    static func isWellFormed(_ name: String) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let words = name.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return (1...2).contains(words.count)
            && words.allSatisfy { word in
                word.first.map(isLetter) == true
                    && word.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }
}

/// A command that is built on first use: building all of them would dominate a session's start time.
private final class CommandSource: Sendable {
    private let provider: any CommandProvider
    private let made = Mutex<Command?>(nil)

    init(_ provider: any CommandProvider) { self.provider = provider }

    var command: Command {
        made.withLock { made in
            if let made { return made }
            let command = provider.command
            made = command
            return command
        }
    }
}

/// Kinds of error of the registry.
enum RegistryErrors {
    static let taken = ErrorKind(
        "E-PLUGIN-TAKEN", "two plugins define the same command",
        explanation: "Command names are unique. Remove or rename one of the two plugins.")
    static let malformed = ErrorKind(
        "E-PLUGIN-NAME", "invalid command name",
        explanation:
            "A command's name is one or two words of letters, digits and dashes that start with a letter.")

    static let effect = ErrorKind(
        "E-PLUGIN-EFFECT", "a plugin may not run this command",
        explanation: """
            Through `host/run`, a plugin's command can run only commands whose effect is no larger than its own: a command \
            declared as `reads` cannot change the workspace. No plugin command can end the session.
            """)

    static let readOnly = ErrorKind(
        "E-READ-ONLY", "the session is open for reading only",
        explanation: """
            The session was shared for reading only, as by `web open --read-only`: commands that change a store, a \
            file or the session itself are rejected, and files outside the workspace cannot be read. `quit` works only at \
            the prompt.
            """)

    static let all = [taken, malformed, effect, readOnly]
}
