import Foundation
import PluginKit

/// The names under which a notebook finds the files that a session read: a notebook moves, so none is an absolute path.
struct NotebookPaths {
    private let names: [(path: String, name: String)]
    /// Files that are not where the notebook looks for them, a sentence each.
    let warnings: [String]

    /// The files of a session, for a notebook in a folder.
    init(_ files: [InputLog.Input], folder: URL) {
        let root = folder.standardizedFileURL.path + "/"
        var names: [(path: String, name: String)] = []
        var missing: [String] = []
        for file in files where !file.isProgram && (file.name.hasPrefix("/") || file.name.hasPrefix("~")) {
            let path = file.url.standardizedFileURL.path
            if path.hasPrefix(root) {
                names.append((file.name, String(path.dropFirst(root.count))))
            } else {
                names.append((file.name, file.url.lastPathComponent))
                missing.append(file.url.lastPathComponent)
            }
        }
        // The longest first: one path can begin another.
        self.names = names.sorted { $0.path.utf8.count > $1.path.utf8.count }
        warnings = missing.map {
            "\($0) is not beside the notebook: copy it there, or test with --data FOLDER"
        }
    }

    /// A text with the names in place of the paths.
    func relative(_ text: String) -> String {
        names.reduce(text) { $0.replacingOccurrences(of: $1.path, with: $1.name) }
    }
}
