import ArgumentParser
import Foundation
import Workbench

/// The program's command-line arguments; the prompt uses the workbench's language.
struct RutterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rutter",
        abstract: "A workbench for wayfinding software.",
        discussion: """
            Without arguments it opens the prompt, or reads entries from standard input when that is not a terminal.

              rutter -c ENTRY           run an entry and exit; -c may be repeated
              rutter COMMAND ARGUMENT…  the same for one command: rutter import a.gpx
              rutter FILE               run a notebook or entries, or open data
              rutter help WORDS         find a command: rutter help next bus

            Options of a session, before or after the subcommand:

              --workspace FOLDER        its own stores (default: in $XDG_DATA_HOME)
              --seed NUMBER             random numbers and identifiers that repeat
              --clock TIME              stop the clock: 2026-02-06T08:15:00Z
              --timezone NAME           a time zone, such as Europe/Zurich
              --units SYSTEM            metric or imperial
              --json                    show results as JSON
              --quiet                   no notes
              --config                  run the start-up file first, as the prompt does
              --log STYLE               log to standard error: text or json
            """,
        version: "1.0.0" + (Material.commit.map { " (\($0))" } ?? ""),
        subcommands: [
            InteractiveCommand.self, TourCommand.self, LearnCommand.self, RunCommand.self, TestCommand.self,
            NotebookCommand.self, KernelCommand.self, ServeCommand.self, ReferenceCommand.self,
            ManualCommand.self, CompletionsCommand.self, LicensesCommand.self,
            NotebookWorkerCommand.self,
        ],
        defaultSubcommand: InteractiveCommand.self)
}
