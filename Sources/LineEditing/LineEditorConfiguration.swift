import Foundation

/// Everything about an editor that its host may choose.
public struct LineEditorConfiguration: Sendable {
    /// The name under which `~/.editrc` may address the program (`rutter:bind …`).
    public var programName: String
    /// Shown before an entry. A transcript that is pasted is recognised by it.
    public var prompt: String
    /// Shown before the further lines of an entry.
    public var continuationPrompt: String
    /// Where history is kept; nil keeps it for the session only.
    public var historyFile: String?
    /// How many entries are kept.
    public var historyLimit: Int
    /// Whether colour may be used. `NO_COLOR` and a dumb terminal turn it off all the same.
    public var colour: Bool
    /// How the prompt looks, as the parameters of an SGR sequence.
    public var promptStyle: String
    /// How the summaries of a completion list look.
    public var summaryStyle: String
    /// How the rest of a suggestion looks.
    public var suggestionStyle: String
    /// How long to wait, in milliseconds, for the rest of a key that begins with Escape.
    public var escapeTimeout: Int
    /// The environment: `NO_COLOR`, `EDITRC` and `HOME` are read from it.
    public var environment: [String: String]

    /// Makes a configuration with the usual values.
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
        self.historyLimit = historyLimit
        self.colour = colour
        self.promptStyle = "1;36"
        self.summaryStyle = "2"
        self.suggestionStyle = "2"
        self.escapeTimeout = 50
        self.environment = environment
    }

    /// Whether colour is wanted, by the host and by the user.
    var wantsColour: Bool { colour && (environment["NO_COLOR"] ?? "").isEmpty }

    /// The editrc(5) file to read, found as libedit finds it.
    var editrcPath: String? {
        if let path = environment["EDITRC"] { return path.isEmpty ? nil : path }
        return environment["HOME"].map { $0 + "/.editrc" }
    }
}
