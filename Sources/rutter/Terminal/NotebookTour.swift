import Foundation
import Notebooks
import Synchronization
import Workbench

/// Shows a notebook while it runs: its prose, and each entry with what the present program gives.
struct NotebookTour {
    let factory: WorkbenchSessionFactory
    let dataFolder: URL?

    /// Gives the status to end with.
    func run(_ file: URL, named name: String) async -> Int32 {
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
        let report = await NotebookRunner(factory: factory, options: options).run(file, named: name) {
            entry, output in
            stage.show(entry, output)
        }
        if report.outcome != .skipped { stage.finish() }
        return conclude(report, name)
    }

    private func conclude(_ report: NotebookReport, _ name: String) -> Int32 {
        Output.print("")
        switch report.outcome {
        case .passed:
            Output.print(
                "\(name): \(report.cells.count) cells ran, and each showed what the notebook expects.")
            Output.print("Go on with `rutter`, the prompt; `help` explains, and Notebooks/ has more to run.")
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

/// Prints the lines of a notebook in step with the entries that run, their expected outputs left out.
private final class Stage: Sendable {
    private let lines: [Substring]
    /// The index of the next line to print.
    private let next: Mutex<Int>

    init(_ notebook: Notebook) {
        lines = notebook.text.split(separator: "\n", omittingEmptySubsequences: false)
        next = Mutex(Self.endOfFrontMatter(lines))
    }

    /// Prints up to an entry's input, the input, and what it showed; passes over the output expected.
    func show(_ entry: NotebookEntry, _ output: CellOutput) {
        next.withLock { next in
            let expected = entry.expectedLines
            for line in lines[next..<max(next, expected.lowerBound)] { Output.print(String(line)) }
            if !output.text.isEmpty { Output.print(output.text) }
            next = max(next, expected.upperBound)
        }
    }

    /// Prints what is left.
    func finish() {
        next.withLock { next in
            let rest = lines[next...].last?.isEmpty == true ? lines[next...].dropLast() : lines[next...]
            for line in rest { Output.print(String(line)) }
            next = lines.count
        }
    }

    private static func endOfFrontMatter(_ lines: [Substring]) -> Int {
        guard lines.first == "---", let end = lines.dropFirst().firstIndex(of: "---") else { return 0 }
        return end + 1
    }
}
