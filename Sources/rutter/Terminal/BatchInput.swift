import Foundation
import LineEditing
import Notebooks
import Workbench

/// Runs entries that come from `-c`, a file or standard input: no prompt, no colour. Stops at the first error, so
/// that nothing runs on a false premise.
struct BatchInput {
    let runner: EntryRunner

    /// Runs one text of entries as a whole.
    func run(_ text: String) async throws -> Int32 {
        var lines: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append(String(line))
            if let status = try await runIfComplete(&lines) { return status }
        }
        return try await finish(&lines)
    }

    /// Runs the lines of standard input as they come.
    func runStandardInput() async throws -> Int32 {
        var lines: [String] = []
        while let line = readLine(strippingNewline: true) {
            lines.append(line)
            if let status = try await runIfComplete(&lines) { return status }
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

    /// The status to end with; `nil` to go on.
    private func run(entry: String) async throws -> Int32? {
        if entry.allSatisfy(\.isWhitespace) { return nil }
        let result = await runner.run(entry)
        if !result.output.isEmpty {
            print(result.output)
            // What was done is told at once, also to a pipe: who sees it may rely on it.
            fflush(nil)
        }
        if let error = result.errorText { FileHandle.standardError.write(Data((error + "\n").utf8)) }
        if result.failure?.code == "E-INTERRUPTED" { return ExitStatus.interrupted }
        if result.failure != nil { return ExitStatus.failure }
        return result.quits ? ExitStatus.success : nil
    }
}
