import ArgumentParser
import PluginKit

/// `rutter notebook …`: the notebook commands of the prompt, such as `render`, from the shell.
struct NotebookCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebook", abstract: "Render, import, save or run a notebook: help notebook.")

    @Argument(parsing: .captureForPassthrough, help: "A notebook command with its arguments.")
    var words: [String] = []

    func run() async throws {
        // Passed through, options of a session are words like any other.
        let count = ProcessArguments.sessionOptions(of: words)
        let start = try SessionOptions.parse(Array(words[..<count])).start
        let command = words[count...].map { $0 == "-h" ? "--help" : Self.written($0) }
        let entry = command.isEmpty ? "help notebook" : "notebook " + command.joined(separator: " ")
        let status = try await SessionRun(start: start, entries: [entry]).run()
        if status != 0 { throw ExitCode(status) }
    }

    /// A word in the command language: options are unchanged, everything else is quoted text.
    private static func written(_ word: String) -> String {
        let isOption = word.hasPrefix("--") && word.dropFirst(2).allSatisfy { $0.isLetter || $0 == "-" }
        return isOption || word == words(of: word) ? word : Literal.text(word)
    }

    /// Characters that need no quotes.
    private static func words(of word: String) -> String { word.filter { $0.isLetter || $0.isNumber } }
}
