import Foundation

/// A plugin whose commands can change while the session runs: it loads external plugins.
public protocol ExtensiblePlugin: Plugin {
    /// Called once when the session is created, before any other call. Throws if a requested plugin cannot be used.
    func begin(_ setup: ExtensionSetup) throws
    /// Loads the plugins listed by a notebook that runs within the session, with access to `files`. Throws if
    /// one cannot be used or is not allowed.
    func require(_ wanted: [String], files: FileAccess) throws
    /// The message and fix for an unknown command whose first word is the name of a plugin that is not
    /// loaded.
    func hint(forCommand word: String) -> (message: String, fix: String?)?
    /// A number that changes whenever `extensions` does.
    var generation: Int { get }
    /// The current extensions. Queried only for names that are not built-in commands, or to list all commands.
    var extensions: [CommandExtension] { get }
    /// The loaded and installed external plugins, by name, for `plugin list`.
    func installed() throws -> [InstalledPlugin]
}

/// An external plugin that is loaded, or could be.
public struct InstalledPlugin: Sendable {
    /// Its name; the folder's if the plugin is invalid.
    public let name: String
    /// Its version; empty if the plugin is invalid.
    public let version: String
    /// `loaded`, `trusted`, `untrusted`, `changed` or `invalid`.
    public let status: String
    /// The number of its commands; 0 if it is not loaded.
    public let commands: Int
    /// Its folder.
    public let folder: String
    /// Its purpose, or why it cannot be loaded.
    public let summary: String

    /// Describes a plugin.
    public init(
        name: String, version: String, status: String, commands: Int, folder: String, summary: String
    ) {
        self.name = name
        self.version = version
        self.status = status
        self.commands = commands
        self.folder = folder
        self.summary = summary
    }
}

/// The configuration that an extensible plugin receives at session start.
public struct ExtensionSetup: Sendable {
    /// The session's file access.
    public let files: FileAccess
    /// The plugins that a notebook names: folders, or names of installed ones.
    public let wanted: [String]
    /// The plugin of a built-in command; `nil` for an unused name.
    public let owner: @Sendable (String) -> String?

    /// Creates a configuration.
    public init(files: FileAccess, wanted: [String], owner: @escaping @Sendable (String) -> String?) {
        self.files = files
        self.wanted = wanted
        self.owner = owner
    }
}

/// An external plugin, as registered.
public struct CommandExtension: Sendable {
    /// Its name.
    public let name: String
    /// Its version.
    public let version: String
    /// The name in a notebook's front matter, which loads it before the first cell; `nil` if an entry of the session loads it.
    public let reference: String?
    /// Its purpose, in one line.
    public let summary: String
    /// Its commands.
    public let commands: [Command]
    /// The kinds of error it throws, for `explain`.
    public let errors: [ErrorKind]

    /// Creates a plugin with its commands.
    public init(
        name: String, version: String, reference: String?, summary: String, commands: [Command],
        errors: [ErrorKind]
    ) {
        self.name = name
        self.version = version
        self.reference = reference
        self.summary = summary
        self.commands = commands
        self.errors = errors
    }
}
