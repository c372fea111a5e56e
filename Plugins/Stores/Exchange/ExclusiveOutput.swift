import Foundation
import PluginKit
import TrailStores

/// A file or folder that appears atomically under its name. Existing files are never replaced.
final class ExclusiveOutput {
    /// The temporary file or folder.
    let temporary: URL
    private let target: URL
    private let place: RutterError.Place
    private var isDone = false

    /// Throws `E-FILE-EXISTS` if the name is taken.
    init(_ target: URL, parameter: String) throws(RutterError) {
        (self.target, place) = (target, .parameter(parameter))
        if FileManager.default.fileExists(atPath: target.path) {
            throw CommonErrors.fileExists(
                "\(target.lastPathComponent) already exists", at: place,
                fix: "choose another name; existing files are never replaced")
        }
        let folder = target.deletingLastPathComponent()
        guard access(folder.path, W_OK) == 0 else {
            throw CommonErrors.fileAccess(
                "\(target.lastPathComponent) cannot be written: \(String(cString: strerror(errno)))",
                at: place)
        }
        temporary = folder.appendingPathComponent(".\(target.lastPathComponent).rutter-\(getpid())")
        Self.remove(temporary)
    }

    deinit { if !isDone { Self.remove(temporary) } }

    /// Moves it to its final name.
    func finish() throws(RutterError) {
        try AtomicFile.publish(temporary, as: target, policy: .exclusive(), at: place)
        isDone = true
    }

    private static func remove(_ url: URL) {
        for suffix in ["", "-journal", "-wal", "-shm"] {
            FileManager.default.discard(URL(fileURLWithPath: url.path + suffix))
        }
    }
}
