import Foundation
import Workbench

/// The entries of the start-up file, `config.rut` of the configuration folder, if it exists.
struct StartFileRun {
    let session: Session

    /// Runs them all, as a shell does: what follows an entry that fails does not depend on it as a rule. Errors are shown, and the
    /// session starts.
    func run() async {
        guard let file = session.startFile,
            let bytes = FileManager.default.contents(atPath: file.path)
        else { return }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return Output.complain("error E-INPUT-UTF8: \(file.path) is not UTF-8 text\n")
        }
        for entry in ScriptText.entries(of: text.withoutByteOrderMark) {
            let origin = EntryOrigin(file: file.path, line: entry.line)
            let result = await session.run(entry.text, recorded: false, origin: origin)
            if !result.output.isEmpty { Output.print(result.output) }
            if let error = result.errorText { Output.complain(error + "\n") }
            if result.quits { return }
        }
    }
}
