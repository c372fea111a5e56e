import ArgumentParser
import Foundation
import LineEditing
import Notebooks
import PluginKit

/// Parses the process's arguments and runs the command they name.
@main
enum EntryPoint {
    static func main() async {
        StandardDescriptors.fillClosed()
        if let reason = ThreadRoom.problem() {
            Output.complain(
                "error E-SYSTEM-THREADS: the system allows no further threads: \(reason)\n"
                    + "fix: raise the limit with `ulimit -u`, or end other processes\n")
            _exit(ExitStatus.failure)
        }
        if let argument = ProcessArguments.notText {
            Output.complain(
                "error E-INPUT-UTF8: the argument \(argument) is not UTF-8 text\n"
                    + "fix: rename the file, for example with `convmv -f latin1 -t utf8 --notest FILE`\n")
            _exit(ExitStatus.usage)
        }
        do {
            if let status = try await runSingleEntry() { exit(status) }
            var command = try RutterCommand.parseAsRoot(
                ProcessArguments.ordered(Array(CommandLine.arguments.dropFirst())))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            finish(error)
        }
    }

    /// Runs `rutter -c ENTRY` without further arguments directly: building all commands and options takes a
    /// sixth of the start time of such a call, and scripts make many. `nil` for any other call.
    private static func runSingleEntry() async throws -> Int32? {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, arguments.first == "-c" else { return nil }
        return try await SessionRun(start: SessionStart(), entries: Array(arguments.suffix(1))).run()
    }

    /// What to say of an option of sessions that a subcommand without a session was given; `nil` for other errors.
    private static func sessionHint(_ message: String) -> String? {
        let options = ["workspace", "seed", "clock", "timezone", "units", "config"]
        guard let option = options.first(where: { message.contains("Unknown option '--\($0)'") }) else {
            return nil
        }
        return
            "fix: leave out --\(option): it is an option of a session, and this subcommand has none of yours. "
            + "Notebooks run in fresh workspaces, with the settings at their head.\n"
    }

    /// Usage errors exit with 2, as in most tools; ArgumentParser's default is 64.
    private static func finish(_ error: any Error) -> Never {
        let code = RutterCommand.exitCode(for: error)
        if error is ExitCode { exit(code.rawValue) }
        if (error as? LineEditorError) == .tooManyFiles {
            let known = CommonErrors.tooManyFiles(
                "the process has as many open files as it may have, and a session requires more",
                fix: CommonErrors.moreFiles)
            Output.complain("error \(known.code): \(known.message)\nfix: \(CommonErrors.moreFiles)\n")
            exit(ExitStatus.failure)
        }
        // The default subcommand has a name for the parser alone.
        let text = RutterCommand.fullMessage(for: error)
            .replacing("rutter prompt", with: "rutter").replacing("help prompt", with: "help")
        if code == .success {
            Output.print(text)
            exit(ExitStatus.success)
        }
        Output.complain(text + "\n" + (sessionHint(text) ?? ""))
        exit(code == .validationFailure ? ExitStatus.usage : code.rawValue)
    }
}
