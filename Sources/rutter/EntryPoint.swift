import ArgumentParser
import Foundation
import Notebooks

/// Parses the process's arguments and runs the command they name.
@main
enum EntryPoint {
    static func main() async {
        do {
            var command = try RutterCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            finish(error)
        }
    }

    /// Wrong usage ends with 2, as with most tools; ArgumentParser's own status for it is 64.
    private static func finish(_ error: any Error) -> Never {
        let code = RutterCommand.exitCode(for: error)
        if error is ExitCode { exit(code.rawValue) }
        let text = RutterCommand.fullMessage(for: error)
        if code == .success {
            Output.print(text)
            exit(ExitStatus.success)
        }
        Output.complain(text + "\n")
        exit(code == .validationFailure ? ExitStatus.usage : code.rawValue)
    }
}
