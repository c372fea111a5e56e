import ArgumentParser
import Foundation
import Notebooks
import PluginKit
import Workbench

/// `rutter tour`: the tour that the program carries, cell by cell.
struct TourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour", abstract: "Replay a tour of five minutes on sample data.",
        discussion: "The tour runs in a workspace of its own, which is deleted at the end.")

    @OptionGroup var options: SessionOptions

    func run() async throws {
        let folder: URL
        do {
            folder = try FileManager.default.scratchFolder("tour")
            try Material.write(Material.files, to: folder)
        } catch {
            Output.complain("error E-FILE-ACCESS: the tour cannot be written to a temporary folder\n")
            throw ExitCode(ExitStatus.failure)
        }
        defer { FileManager.default.discard(folder) }
        let factory = WorkbenchSessionFactory(
            allowances: WorkbenchSessionFactory.Allowances(), log: options.logger, plugins: builtInPlugins)
        let tour = NotebookTour(factory: factory, dataFolder: nil)
        let file = folder.appendingPathComponent("tour.md")
        let status = try await tour.replay(file, named: "tour")
        if status != 0 { throw ExitCode(status) }
    }
}
