import Foundation
import LineEditing
import Notebooks
import Workbench

/// Runs entries from `-c`, a file or standard input: no prompt, no colour. Stops at the first error, so that
/// later entries do not run on wrong state.
struct BatchInput {
    let runner: EntryRunner
    let reports: BatchReports

    /// Runs one text of entries as a whole; `file` is its origin, for error locations.
    func run(_ text: String, file: String? = nil) async throws -> Int32 {
        for entry in ScriptText.entries(of: text.withoutByteOrderMark) {
            let origin = file.map { EntryOrigin(file: $0, line: entry.line) }
            if let status = try await run(entry: entry.text, origin: origin) { return status }
        }
        return 0
    }

    /// Runs texts in order, until one fails.
    func run(_ texts: [String]) async throws -> Int32 {
        for text in texts {
            let status = try await run(text)
            if status != 0 { return status }
        }
        return 0
    }

    /// Runs the lines of standard input as they arrive.
    func runStandardInput() async throws -> Int32 {
        var lines: [String] = []
        var input = StandardInput()
        var number = 0
        do {
            while let line = try input.line() {
                number += 1
                lines.append(number == 1 ? line.withoutByteOrderMark : line)
                if let status = try await runIfComplete(&lines) { return status }
            }
        } catch let problem as StandardInput.Problem {
            switch problem {
            case .notText:
                Output.complain(
                    "error E-INPUT-UTF8: line \(number + 1) of standard input is not UTF-8 text\n")
            case .unreadable(let reason):
                Output.complain("error E-FILE-ACCESS: standard input cannot be read: \(reason)\n")
            }
            return ExitStatus.failure
        }
        return try await finish(&lines)
    }

    private func finish(_ lines: inout [String]) async throws -> Int32 {
        if lines.isEmpty { return 0 }
        return try await run(entry: lines.joined(separator: "\n")) ?? 0
    }

    private func runIfComplete(_ lines: inout [String]) async throws -> Int32? {
        let entry = lines.joined(separator: "\n")
        if Completeness.isIncomplete(entry) { return nil }
        lines = []
        return try await run(entry: entry)
    }

    /// The exit status; `nil` to continue.
    private func run(entry: String, origin: EntryOrigin? = nil) async throws -> Int32? {
        if entry.allSatisfy(\.isWhitespace) { return nil }
        let result = await runner.run(entry, origin: origin)
        if !result.output.isEmpty {
            // Results are flushed at once, also to a pipe, so that a reader receives them.
            Output.print(result.output)
        }
        reports.report(result)
        if result.failure?.code == "E-INTERRUPTED" { return ExitStatus.interrupted }
        if result.failure != nil { return ExitStatus.failure }
        return result.quits ? ExitStatus.success : nil
    }
}
