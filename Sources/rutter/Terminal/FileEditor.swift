import Core
import Foundation
import Workbench

/// The user's editor of files, for an entry of the prompt.
enum FileEditor {
    /// Lets the user edit a text; `nil` if the editor failed or its text cannot be read.
    static func edited(_ text: String) async -> String? {
        guard let folder = try? FileManager.default.scratchFolder("entry") else { return nil }
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("entry.rut")
        guard (try? (text + "\n").write(to: file, atomically: false, encoding: .utf8)) != nil,
            await Shell.run(ShellLine.editing(file)) == 0,
            let edited = try? String(contentsOf: file, encoding: .utf8)
        else { return nil }
        // Editors end a file with a line's end, which an entry does not have.
        return edited.hasSuffix("\n") ? String(edited.dropLast()) : edited
    }
}
