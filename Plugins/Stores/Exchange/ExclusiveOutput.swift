import Foundation
import PluginKit
import TrailStores

/// A file or folder that appears atomically under its name. Existing files are never replaced.
final class ExclusiveOutput {
    /// The temporary file or folder.
    let temporary: URL
    private let target: URL
    private var isDone = false

    /// Throws `E-FILE-EXISTS` if the name is taken.
    init(_ target: URL, parameter: String) throws(RutterError) {
        self.target = target
        if FileManager.default.fileExists(atPath: target.path) {
            throw CommonErrors.fileExists(
                "\(target.lastPathComponent) already exists", at: .parameter(parameter),
                fix: "choose another name; existing files are never replaced")
        }
        let folder = target.deletingLastPathComponent()
        guard access(folder.path, W_OK) == 0 else {
            throw CommonErrors.fileAccess(
                "\(target.lastPathComponent) cannot be written: \(String(cString: strerror(errno)))",
                at: .parameter(parameter))
        }
        temporary = folder.appendingPathComponent(".\(target.lastPathComponent).rutter-\(getpid())")
        Self.remove(temporary)
    }

    deinit { if !isDone { Self.remove(temporary) } }

    /// Moves it to its final name.
    func finish() throws(RutterError) {
        let descriptor = open(temporary.path, O_RDONLY)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        var info = stat()
        let isFolder = lstat(temporary.path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        // A link, unlike a rename, never replaces a file created in the meantime.
        let code = isFolder ? rename(temporary.path, target.path) : link(temporary.path, target.path)
        guard code == 0 else {
            let reason = String(cString: strerror(errno))
            if errno == EEXIST { throw CommonErrors.fileExists("\(target.lastPathComponent) already exists") }
            throw CommonErrors.fileAccess("\(target.lastPathComponent) cannot be written: \(reason)")
        }
        if !isFolder { unlink(temporary.path) }
        isDone = true
    }

    private static func remove(_ url: URL) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            FileManager.default.discard(URL(fileURLWithPath: url.path + suffix))
        }
    }
}
