import Foundation
import PluginKit

/// Regular files only: no folders, devices or pipes.
enum RegularFile {
    static func check(_ url: URL) throws {
        var info = stat()
        guard stat(url.path, &info) == 0 else {
            throw CommonErrors.fileMissing("no such file: \(url.lastPathComponent)")
        }
        guard info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is not a regular file")
        }
    }
}
