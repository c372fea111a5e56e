import Formats
import Foundation
import Pictures
import PluginKit

/// The folder of the photos referenced by a community file.
struct PhotoFolder: Sendable {
    let url: URL

    /// Whether a name is a file name without a path.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= ExportSettings.longestFileName
            && !name.contains { $0 == "/" || $0 == "\0" }
    }

    // MARK: Reading

    /// Whether a photo exists.
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    /// The bytes of a photo; `nil` if it is missing. Throws `E-FILE-CONFINED`, `E-FILE-ACCESS` or
    /// `E-IMPORT-TOOLARGE`.
    func read(_ name: String, _ files: FileAccess) throws -> Data? {
        guard has(name) else { return nil }
        let file = try files.input(path(name))
        var info = stat()
        guard stat(file.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is not a regular file", at: .parameter("photos"))
        }
        guard info.st_size <= ExportSettings.largestPhoto else {
            throw ImportErrors.tooLarge(
                "\(name) has \(info.st_size) bytes, more than \(ExportSettings.largestPhoto)",
                at: .parameter("photos"))
        }
        guard let data = FileManager.default.contents(atPath: file.path) else {
            throw CommonErrors.fileAccess("\(name) cannot be read", at: .parameter("photos"))
        }
        return data
    }

    // MARK: Writing

    /// Writes all photos or none: they are staged in a hidden folder until `meanwhile` has succeeded. Throws
    /// `E-FILE-EXISTS` (unless forced) or `E-FILE-ACCESS`.
    func write(
        _ photos: [(name: String, read: () throws -> Data)], force: Bool, meanwhile: () throws -> Void
    ) throws {
        let manager = FileManager.default
        if !force, let name = photos.map(\.name).first(where: has) {
            throw CommonErrors.fileExists(
                "\(url.lastPathComponent)/\(name) already exists", at: .parameter("photos"),
                fix: "choose another folder, or add --force")
        }
        if let name = photos.map(\.name).first(where: isFolder) {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent)/\(name) is a folder", at: .parameter("photos"))
        }
        let isNew = !manager.fileExists(atPath: url.path)
        let waiting = url.appendingPathComponent(".rutter-\(getpid())", isDirectory: true)
        do {
            do {
                if isNew { try manager.createDirectory(at: url, withIntermediateDirectories: false) }
                try manager.createDirectory(at: waiting, withIntermediateDirectories: false)
            } catch {
                throw CommonErrors.fileAccess(
                    "the folder \(url.lastPathComponent) cannot be written to: "
                        + (error as NSError).localizedDescription, at: .parameter("photos"))
            }
            for photo in photos {
                try OutputFile.write(
                    try photo.read(), to: waiting.appendingPathComponent(photo.name), force: true,
                    parameter: "photos")
            }
            try meanwhile()
            for photo in photos {
                // Synced when they were written.
                try AtomicFile.publish(
                    waiting.appendingPathComponent(photo.name), as: URL(fileURLWithPath: path(photo.name)),
                    policy: .replace, syncs: false, at: .parameter("photos"))
            }
            manager.discard(waiting)
        } catch {
            manager.discard(waiting)
            // Removes only an empty folder that was created here.
            if isNew { rmdir(url.path) }
            throw error
        }
    }

    private func isFolder(_ name: String) -> Bool {
        var info = stat()
        return stat(path(name), &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }

    private func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
