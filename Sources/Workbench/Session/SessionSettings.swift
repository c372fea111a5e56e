import CivilTime
import Foundation
import Logging
import PluginKit

/// The configuration of a session.
public struct SessionConfiguration: Sendable {
    /// Seed of random numbers and identifiers.
    public var seed: UInt64
    /// The clock.
    public var clock: SessionClock
    /// How values are parsed and printed.
    public var environment: Environment
    /// The folder of the session's own stores.
    public var workspace: URL
    /// Access to other files.
    public var files: FileAccess
    /// External plugins loaded at the start: folders, or names of installed ones.
    var wantedPlugins: [String] = []
    /// The enclosing notebooks.
    public var nesting = NotebookNesting()
    /// Threads for commands, which may block; `nil` runs them on the threads of the caller's task.
    public var executor: CommandExecutor?
    /// The log.
    public var log: Logger
    /// Shows progress; called from any thread.
    public var progress: ProgressReporter
    /// Gives commands exclusive access to the terminal; `nil` without a terminal.
    public var screen: (any ScreenProvider)?
    /// Receives output to a program or file in chunks; `nil` collects it in the result.
    public var output: (@Sendable (String) -> Void)?
    /// Whether nothing is coloured, whatever `set color` says, as in notebooks, whose output is compared.
    public var isPlain = false
    /// The file that the prompt runs at its start; `nil` where there is none, as in notebooks.
    public var startFile: URL?
    /// Runs a line of the shell at the terminal, such as an editor, and returns its exit status; `nil` without a terminal.
    public var shell: (@Sendable (String) async -> Int32)?
    /// Puts a text on the clipboard of the terminal; `nil` without a terminal.
    public var clipboard: (@Sendable (String) -> Void)?
    /// The process's standard input and output as files, for `-`; `nil` where paths of that name are files.
    public var streams: StandardStreams?
    /// Receives lines of live rows for a terminal; `nil` collects them in the result.
    public var live: (@Sendable (String) -> Void)?
    /// Whether results are shown as JSON, whatever they are.
    public var showsJSON = false
    /// Receives each value that a recorded entry displays.
    public var display: (@Sendable (DisplayedValue) -> Void)?

    /// The arguments of a script, for `args`.
    public var arguments: [String] = []

    /// Makes a configuration.
    public init(
        seed: UInt64, clock: SessionClock, environment: Environment, workspace: URL, files: FileAccess,
        log: Logger, progress: ProgressReporter = ProgressReporter(),
        screen: (any ScreenProvider)? = nil
    ) {
        self.seed = seed
        self.clock = clock
        self.environment = environment
        self.workspace = workspace
        self.files = files
        self.log = log
        self.progress = progress
        self.screen = screen
    }
}

/// The result of one entry.
public struct EntryResult: Sendable {
    /// The values shown, without a line end; empty when there is nothing to show.
    public let output: String
    /// The error in words, when there is one.
    public let errorText: String?
    /// The value of the last pipeline.
    public let value: Value
    /// The error that stopped the entry.
    public let failure: RutterError?
    /// Whether the session ends after the entry.
    public let quits: Bool
    /// Notes about the rows that were written to a program or file.
    public var notes: [String] = []

    /// The terminal output: the values, then the error.
    public var text: String {
        guard let errorText else { return output }
        return output.isEmpty ? errorText : output + "\n" + errorText
    }
}

/// The coverage of a session.
public struct SessionUsage: Sendable {
    /// Names of the commands that ran.
    public var commands: Set<String> = []
    /// Options that were given, as `command --option`.
    public var options: Set<String> = []
    /// Codes of the errors that occurred.
    public var errors: Set<String> = []
}
