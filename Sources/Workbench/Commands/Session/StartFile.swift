import Foundation
import PluginKit

/// The entries that the prompt runs at its start: settings, aliases and functions of one's own.
struct StartFile {
    let url: URL

    /// The start-up file of a session. Throws `E-FILE-MISSING` where there is none.
    init(of session: Session) async throws(RutterError) {
        guard let url = session.startFile else {
            throw CommonErrors.fileMissing(
                "this session has no start-up file", fix: "use it at the prompt, or with `rutter -c`")
        }
        self.url = url
    }

    /// Its text; empty if it does not exist. Throws `E-FILE-ACCESS` if it cannot be read.
    var text: String {
        get throws(RutterError) {
            guard FileManager.default.fileExists(atPath: url.path) else { return "" }
            guard let bytes = FileManager.default.contents(atPath: url.path),
                let text = String(validating: bytes, as: UTF8.self)
            else { throw CommonErrors.fileAccess("\(url.path) cannot be read as text") }
            return text
        }
    }

    /// Makes it set a setting, instead of what it set before; `nil` takes the setting out.
    func save(_ setting: String, _ value: String?) throws(RutterError) {
        var lines = try text.split(separator: "\n", omittingEmptySubsequences: false).filter {
            $0.split(separator: " ").prefix(2) != ["set", setting[...]]
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        if let value { lines.append("set \(setting) \(value)") }
        try write(lines.map { $0 + "\n" }.joined())
    }

    /// Writes the file and its folder.
    func write(_ text: String) throws(RutterError) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw CommonErrors.fileAccess("the folder of \(url.path) cannot be made")
        }
        try OutputFile.write(Data(text.utf8), to: url, force: true)
    }
}
