import Foundation
import Notebooks
import Workbench

/// Shows a notebook as it runs: its prose, and each cell with what the present program gives.
struct NotebookTour {
    let factory: WorkbenchSessionFactory
    let dataFolder: URL?

    /// Gives the status to end with.
    func run(_ file: URL, named name: String) async -> Int32 {
        let text: String
        do {
            text = try NotebookParser().parse(contentsOf: file).text
        } catch {
            FileHandle.standardError.write(
                Data("error \(error.code.rawValue): \(name): \(error.description)\n".utf8))
            return ExitStatus.failure
        }
        let runner = NotebookRunner(factory: factory, options: options)
        let report = await runner.run(file, named: name)
        print(Self.body(text), terminator: text.hasSuffix("\n") ? "" : "\n")
        return conclude(report, name)
    }

    private var options: NotebookRunner.Options {
        var options = NotebookRunner.Options()
        options.dataFolder = dataFolder
        return options
    }

    /// The notebook without its front matter.
    private static func body(_ text: String) -> String {
        guard text.hasPrefix("---\n"), let end = text.range(of: "\n---\n") else { return text }
        return String(text[end.upperBound...].drop { $0 == "\n" })
    }

    private func conclude(_ report: NotebookReport, _ name: String) -> Int32 {
        print("")
        switch report.outcome {
        case .passed:
            print("\(name): \(report.cells.count) cells ran, and all showed what stands above.")
            return ExitStatus.success
        case .skipped:
            print("\(name) was skipped: \(report.reason ?? "")")
            return ExitStatus.success
        case .failed:
            print(TextReport.text(report))
            return ExitStatus.failure
        }
    }
}
