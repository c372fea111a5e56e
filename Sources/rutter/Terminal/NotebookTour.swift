import Foundation
import LineEditing
import Notebooks
import PluginKit
import Synchronization
import Workbench

/// Replays a notebook: its prose, and each entry with the output of the running program.
struct NotebookTour {
    let factory: WorkbenchSessionFactory
    let dataFolder: URL?

    /// Replays it until its end or a signal; returns the exit status.
    func replay(_ file: URL, named name: String) async throws -> Int32 {
        let task = Task { await run(file, named: name) }
        let monitor = try InterruptMonitor([SIGINT, SIGTERM, SIGHUP]) { task.cancel() }
        defer { monitor.stop() }
        return await task.value
    }

    /// Returns the exit status.
    private func run(_ file: URL, named name: String) async -> Int32 {
        let notebook: Notebook
        do {
            notebook = try NotebookParser().parse(contentsOf: file)
        } catch {
            Output.complain("error \(error.code.rawValue): \(name): \(error.description)\n")
            return ExitStatus.failure
        }
        var options = NotebookRunner.Options()
        options.dataFolder = dataFolder
        let stage = Stage(notebook)
        let display = ProgressDisplay()
        let total = notebook.runnableCount
        display.begin()
        let report = await NotebookRunner(factory: factory, options: options).run(file, named: name) {
            entry, output in
            display.wipe()
            display.reporter.report("running entries", done: stage.show(entry, output), of: total)
        }
        display.end()
        if Task.isCancelled {
            Output.complain("stopped\n")
            return ExitStatus.interrupted
        }
        if report.outcome != .skipped { stage.finish() }
        return conclude(report, name)
    }

    private func conclude(_ report: NotebookReport, _ name: String) -> Int32 {
        Output.print("")
        switch report.outcome {
        case .passed:
            Output.print(
                "\(name): \(report.cells.count) cells ran, all as expected.")
            Output.print(
                "Next: start the prompt with `rutter`; `sample` gives data to play with, and `help` helps.")
            return ExitStatus.success
        case .skipped:
            Output.print("\(name) was skipped: \(report.reason ?? "")")
            return ExitStatus.success
        case .failed:
            Output.print(TextReport.text(report))
            return ExitStatus.failure
        }
    }
}

/// Prints the lines of a notebook in step with the entries that run, without their expected outputs.
private final class Stage: Sendable {
    private let lines: [Substring]
    /// The index of the next line to print, and how many entries were shown.
    private let next: Mutex<(line: Int, shown: Int)>

    init(_ notebook: Notebook) {
        lines = notebook.text.split(separator: "\n", omittingEmptySubsequences: false)
        next = Mutex((Self.endOfFrontMatter(lines), 0))
    }

    /// Prints up to an entry's input, the input, and its output; skips the expected output. Returns the number
    /// of entries shown.
    func show(_ entry: NotebookEntry, _ output: CellOutput) -> Int {
        next.withLock { next in
            let expected = entry.expectedLines
            let end = max(next.line, expected.lowerBound)
            for line in lines[next.line..<end] { Output.print(TerminalText.lines(String(line))) }
            if !output.text.isEmpty { Output.print(output.text) }
            next = (max(next.line, expected.upperBound), next.shown + 1)
            return next.shown
        }
    }

    /// Prints the remaining lines.
    func finish() {
        next.withLock { next in
            let rest = lines[next.line...]
            for line in rest.last?.isEmpty == true ? rest.dropLast() : rest {
                Output.print(TerminalText.lines(String(line)))
            }
            next.line = lines.count
        }
    }

    private static func endOfFrontMatter(_ lines: [Substring]) -> Int {
        guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else { return 0 }
        return end + 1
    }
}
