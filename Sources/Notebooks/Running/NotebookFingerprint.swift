import Core
import Foundation

/// The inputs of a notebook run: its cells as written, and its input data.
struct NotebookFingerprint: Sendable, Hashable, Codable {
    /// The SHA-256 of each cell, fences and expected output included.
    var cells: [String] = []
    /// The SHA-256 of each data file by its name.
    var data: [String: String] = [:]

    /// `nil` if the hash library is missing.
    init?(_ notebook: Notebook, _ data: InputData) {
        guard NativeLibrary.crypto.isAvailable else { return nil }
        let lines = notebook.source.lines
        for cell in notebook.cells {
            let text = lines[(cell.lines.lowerBound - 1)..<min(cell.lines.upperBound, lines.count)]
                .map(\.text).joined(separator: "\n")
            guard let hash = Digest.sha256(Array(text.utf8)) else { return nil }
            cells.append(hash)
        }
        for file in data.found { self.data[file.name] = InputData.sha256(of: file.url) }
    }
}
