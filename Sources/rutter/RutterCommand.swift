import ArgumentParser
import Foundation
import Workbench

/// The program's command-line arguments; the prompt uses the workbench's language.
struct RutterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rutter",
        abstract: "A workbench for wayfinding software.",
        discussion: """
            Without a subcommand it opens the prompt, or reads commands from standard input when that is not a terminal.
            """,
        version: "1.0.0",
        subcommands: [
            InteractiveCommand.self, RunCommand.self, TestCommand.self, NotebookCommand.self,
            LearnCommand.self, KernelCommand.self, ServeCommand.self, ReferenceCommand.self,
            NotebookWorkerCommand.self,
        ],
        defaultSubcommand: InteractiveCommand.self)
}
