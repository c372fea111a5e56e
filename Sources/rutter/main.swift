import ArgumentParser
import Foundation
import Notebooks

// Wrong usage ends with 2, as with most tools; ArgumentParser's own code for it is 64.
do {
    var command = try RutterCommand.parseAsRoot()
    if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
    } else {
        try command.run()
    }
} catch {
    let code = RutterCommand.exitCode(for: error)
    let text = RutterCommand.fullMessage(for: error)
    if code == .success {
        print(text)
        exit(0)
    }
    if error is ExitCode { exit(code.rawValue) }
    FileHandle.standardError.write(Data((text + "\n").utf8))
    exit(code == .validationFailure ? ExitStatus.usage : code.rawValue)
}
