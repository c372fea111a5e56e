import ArgumentParser
import Foundation
import LineEditing
import Workbench

/// `rutter` and `rutter -c`: the prompt, one entry, or standard input.
struct InteractiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prompt",
        abstract: "Open the prompt (default), or run entries of -c or a pipe.",
        shouldDisplay: false)

    @OptionGroup var options: SessionOptions

    // Unconditional, because an entry may begin with a minus sign: -33.8688,151.2093.
    @Option(
        name: .customShort("c"), parsing: .unconditionalSingleValue,
        help: "Run an entry and exit; several run in order, in one session.")
    var entries: [String] = []

    func run() async throws {
        let status = try await SessionRun(start: options.start, entries: entries).run()
        if status != 0 { throw ExitCode(status) }
    }
}

/// Runs one session: at the prompt, for -c entries, or for standard input.
struct SessionRun {
    let start: SessionStart
    let entries: [String]

    /// Returns the exit status.
    func run() async throws -> Int32 {
        let display = ProgressDisplay()
        let isInteractive = entries.isEmpty && LineEditor.isTerminal
        var configuration = try start.configuration(isInteractive: isInteractive, progress: display.reporter)
        // Without -c, standard input holds the entries themselves.
        if !entries.isEmpty { configuration.files.standardInput = SessionStart.passedInput }
        if isInteractive {
            configuration.shell = { await Shell.run($0) }
            // OSC 52; terminals that do not know it ignore it.
            configuration.clipboard = {
                Output.pass("\u{1B}]52;c;\(Data($0.utf8).base64EncodedString())\u{07}")
            }
        }
        configuration.streams = StandardStreams(input: configuration.files.standardInput) { Output.pass($0) }
        let session = try Session(configuration: configuration, plugins: builtInPlugins)
        let runner = EntryRunner(session: session, display: display)
        let status: Int32
        if isInteractive {
            let history = UserFolders.state(ProcessInfo.processInfo.environment).appendingPathComponent(
                "history")
            status = try await Prompt(session: session, runner: runner, historyFile: history).run()
        } else {
            if start.runsStartFile { await StartFileRun(session: session).run() }
            let monitor = try InterruptMonitor { runner.stop() }
            let ends = try EndSignals(runner)
            let input = BatchInput(runner: runner, reports: BatchReports(start))
            status = entries.isEmpty ? try await input.runStandardInput() : try await input.run(entries)
            ends.stop()
            monitor.stop()
        }
        await session.close()
        return status
    }
}
