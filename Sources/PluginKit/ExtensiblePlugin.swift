import Foundation

/// A plugin whose commands come and go while the session runs: it brings the plugins of others.
public protocol ExtensiblePlugin: Plugin {
    /// Called once when the session is made, before anything is asked. Throws where a plugin that is wanted cannot be used.
    func begin(_ setup: ExtensionSetup) throws
    /// Loads the plugins that a notebook lists which runs within the session, and may use `files`. Throws where one cannot
    /// be used, or may not.
    func require(_ wanted: [String], files: FileAccess) throws
    /// What to say of an unknown command with that first word, where a plugin has that name and is not loaded; and what to
    /// do about it.
    func hint(forCommand word: String) -> (message: String, fix: String?)?
    /// A number that changes whenever `extensions` does.
    var generation: Int { get }
    /// What it brings at present. Asked only when a name is not one of the built-in commands, or when all are listed.
    var extensions: [CommandExtension] { get }
}

/// What an extensible plugin gets of a session that begins.
public struct ExtensionSetup: Sendable {
    /// Which files the session may use.
    public let files: FileAccess
    /// The plugins that a notebook names: folders, or names of installed ones.
    public let wanted: [String]
    /// Which plugin a command belongs to that is built in; `nil` for a name that is free.
    public let owner: @Sendable (String) -> String?

    /// What a session begins with.
    public init(files: FileAccess, wanted: [String], owner: @escaping @Sendable (String) -> String?) {
        self.files = files
        self.wanted = wanted
        self.owner = owner
    }
}

/// A plugin of others, as the registry knows it.
public struct CommandExtension: Sendable {
    /// Its name.
    public let name: String
    /// Its version.
    public let version: String
    /// What a notebook names it by, so that it is loaded before the first cell; `nil` where an entry of the session loads it.
    public let reference: String?
    /// What it is for, in one line.
    public let summary: String
    /// Its commands.
    public let commands: [Command]
    /// The kinds of error it throws, for `explain`.
    public let errors: [ErrorKind]

    /// A plugin with its commands.
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
