import Core
import Foundation
import PluginKit

/// The hash of all files of a folder: their paths, whether they can be run, and their bytes.
struct FilesDigest: Sendable {
    /// In lower-case hexadecimal.
    let hash: String
    /// The hash of each file by its path.
    let files: [String: String]

    /// Reads all files. Throws `E-PLUGIN-MANIFEST` for too many or too large ones, `E-FILE-ACCESS`, `E-LIBRARY-MISSING`.
    static func of(_ folder: URL) throws -> FilesDigest {
        try NativeLibrary.crypto.require()
        let shown = folder.lastPathComponent
        let paths: [String]
        do {
            paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
        } catch {
            throw CommonErrors.fileAccess("\(shown) cannot be read")
        }
        guard paths.count <= ForeignSettings.mostFiles else {
            throw ForeignErrors.manifest("\(shown) has more than \(ForeignSettings.mostFiles) files")
        }
        var total = 0
        var files: [String: String] = [:]
        let hash = try Digest.sha256 { update in
            for path in paths {
                try Interruption.check()
                let url = folder.appendingPathComponent(path)
                var info = stat()
                guard lstat(url.path, &info) == 0 else {
                    throw CommonErrors.fileAccess("\(path) cannot be read")
                }
                let isLink = info.st_mode & S_IFMT == S_IFLNK
                // A link to a file counts as the file; a link to a folder is not followed and therefore rejected.
                if isLink, stat(url.path, &info) != 0 {
                    throw CommonErrors.fileAccess("\(path) cannot be read")
                }
                if info.st_mode & S_IFMT == S_IFDIR, !isLink { continue }
                guard info.st_mode & S_IFMT == S_IFREG else {
                    throw ForeignErrors.manifest("\(shown)/\(path) is neither a file nor a link to one")
                }
                total += Int(info.st_size)
                guard total <= ForeignSettings.mostFileBytes else {
                    throw ForeignErrors.manifest(
                        "\(shown) has more than \(ForeignSettings.mostFileBytes >> 20) MB of files")
                }
                guard let bytes = FileManager.default.contents(atPath: url.path) else {
                    throw CommonErrors.fileAccess("\(path) cannot be read")
                }
                let mode = info.st_mode & 0o111 == 0 ? "-" : "x"
                update(Array("\(mode) \(bytes.count) \(path)\n".utf8))
                update([UInt8](bytes))
                files[path] = mode + (Digest.sha256([UInt8](bytes)) ?? "")
            }
        }
        guard let hash else { throw ForeignErrors.manifest("\(shown) cannot be hashed") }
        return FilesDigest(hash: hash, files: files)
    }

    /// Copies the files of a folder, without times, into an empty folder; links to files become files.
    static func copy(_ folder: URL, to target: URL) throws {
        let files = FileManager.default
        do {
            for path in try files.subpathsOfDirectory(atPath: folder.path).sorted() {
                try Interruption.check()
                let (source, copy) = (
                    folder.appendingPathComponent(path), target.appendingPathComponent(path)
                )
                var info = stat()
                guard stat(source.path, &info) == 0 else { continue }
                if info.st_mode & S_IFMT == S_IFDIR {
                    try files.createDirectory(at: copy, withIntermediateDirectories: true)
                } else if info.st_mode & S_IFMT == S_IFREG, info.st_size <= ForeignSettings.mostFileBytes {
                    let bytes = try Data(contentsOf: source)
                    try bytes.write(to: copy)
                    chmod(copy.path, info.st_mode & 0o111 == 0 ? 0o600 : 0o700)
                }
            }
        } catch let error as RutterError {
            throw error
        } catch {
            throw CommonErrors.fileAccess(
                "the files of \(folder.lastPathComponent) cannot be copied: \((error as NSError).localizedDescription)"
            )
        }
    }

    /// The changed files, as text.
    func changes(since old: [String: String]) -> String {
        let changed = Set(files.keys).union(old.keys).filter { files[$0] != old[$0] }.sorted()
        let named = changed.lazy.map { path in
            let what = old[path] == nil ? "is new" : files[path] == nil ? "is gone" : "changed"
            return "\(TerminalText.withoutControls(path)) \(what)"
        }
        return named.listed(first: ForeignSettings.namedChanges)
    }
}
