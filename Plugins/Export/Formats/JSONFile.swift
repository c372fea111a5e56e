import Formats
import Foundation
import PluginKit

/// Reads JSON files.
enum JSONFile {
    /// The result of `body` for a file. Throws `E-IMPORT-FORMAT` or `E-IMPORT-VALUE` with problem and
    /// location, `E-IMPORT-TOOLARGE`, or the error of `check`.
    static func read<T>(
        _ url: URL, check: () throws -> Void, _ body: (JSONTree) throws -> T
    ) throws -> T {
        let name = url.lastPathComponent
        var info = stat()
        guard stat(url.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is not a regular file", at: .parameter("file"))
        }
        guard info.st_size <= ExportSettings.longestJSON else {
            throw ExportErrors.tooLarge(
                "\(name) has \(info.st_size) bytes, more than \(ExportSettings.longestJSON)",
                at: .parameter("file"))
        }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw CommonErrors.fileAccess("\(name) cannot be read", at: .parameter("file"))
        }
        do {
            return try JSONTree.read(data, check: check, body)
        } catch let fault as JSONFault {
            let kind =
                switch fault.kind {
                case .value: ExportErrors.value
                case .size: ExportErrors.tooLarge
                default: ExportErrors.format
                }
            throw fault.error(kind, file: name)
        }
    }
}
