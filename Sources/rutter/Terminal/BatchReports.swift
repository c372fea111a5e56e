import Formats
import PluginKit
import Workbench

/// What is said on standard error about an entry that ran without a prompt.
struct BatchReports {
    private let isQuiet: Bool
    /// Whether errors are lines of JSON, as the log is.
    private let areJSON: Bool

    init(_ start: SessionStart) {
        isQuiet = start.isQuiet
        areJSON = start.log == .json
    }

    /// Writes the notes, unless they are unwanted, and the error.
    func report(_ result: EntryResult) {
        if !isQuiet {
            for note in result.notes {
                Output.complain(areJSON ? Self.line("notice", note) : "note: \(note)\n")
            }
        }
        guard let text = result.errorText else { return }
        guard areJSON, let error = result.failure else { return Output.complain(text + "\n") }
        var facts: [(String, String)] = [("code", error.code)]
        if let fix = error.fix { facts.append(("fix", fix)) }
        if let suggestion = error.suggestion { facts.append(("suggestion", suggestion)) }
        Output.complain(Self.line("error", error.message, facts))
    }

    private static func line(_ level: String, _ message: String, _ facts: [(String, String)] = []) -> String {
        let members = [("level", level), ("message", message)] + facts
        return JSONTree.object(members.map { .init($0.0, .text($0.1)) }).sorted.compactText + "\n"
    }
}
