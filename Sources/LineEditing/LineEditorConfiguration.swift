import Foundation

/// The options of an editor.
public struct LineEditorConfiguration: Sendable {
    /// The name under which `~/.editrc` may address the program (`rutter:bind …`).
    var programName: String
    /// Shown before an entry. Also identifies pasted transcripts.
    public var prompt: String
    /// Shown before the further lines of an entry.
    var continuationPrompt: String
    /// The history file; nil keeps history for the session only.
    public var historyFile: String?
    /// The form in which an entry is written into the history file, such as without its passwords. The session recalls the
    /// entry itself.
    public var savedForm: @Sendable (String) -> String
    /// How many entries are kept.
    public var historyLimit: Int
    /// Whether colour may be used. `NO_COLOR`, `CLICOLOR=0` and a dumb terminal also turn it off.
    public var colour: Bool
    /// The style of the prompt, as SGR parameters.
    public var promptStyle: String
    /// The style of summaries in a completion list.
    var summaryStyle: String
    /// The style of a suggestion.
    var suggestionStyle: String
    /// Timeout, in milliseconds, for the rest of a key that begins with Escape.
    var escapeTimeout: Int
    /// Changes an entry outside of the editor, such as in an editor of files: returns the new text, or nil to leave it
    /// as it is. Runs on the editor's thread while the terminal is in normal mode. Without it the key beeps.
    public var editEntry: (@Sendable (String) -> String?)?
    /// The environment: `NO_COLOR`, `EDITRC` and `HOME` are read from it.
    public var environment: [String: String]

    /// Creates a configuration with default values.
    public init(
        programName: String = "rutter",
        prompt: String = "rutter> ",
        continuationPrompt: String = "   ...> ",
        historyFile: String? = nil,
        historyLimit: Int = 10_000,
        colour: Bool = true,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.programName = programName
        self.prompt = prompt
        self.continuationPrompt = continuationPrompt
        self.historyFile = historyFile
        self.savedForm = { $0 }
        self.historyLimit = historyLimit
        self.colour = colour
        self.promptStyle = "1;36"
        self.summaryStyle = "2"
        self.suggestionStyle = "2"
        self.escapeTimeout = 50
        self.environment = environment
    }

    /// Whether colour is enabled by the host and the user.
    var wantsColour: Bool { colour && Self.wantsColour(environment) }

    /// Whether the environment allows colour: not with `NO_COLOR`, `CLICOLOR=0` or a dumb terminal.
    public static func wantsColour(_ environment: [String: String]) -> Bool {
        (environment["NO_COLOR"] ?? "").isEmpty && environment["CLICOLOR"] != "0"
            && environment["TERM"] != "dumb"
    }

    /// The editrc(5) file to read, found as libedit finds it.
    var editrcPath: String? {
        if let path = environment["EDITRC"] { return path.isEmpty ? nil : path }
        return environment["HOME"].map { $0 + "/.editrc" }
    }
}
