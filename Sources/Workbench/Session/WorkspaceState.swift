import Foundation
import PluginKit

/// The files of a workspace and their state, to report later what has changed.
struct WorkspaceState: Sendable {
    private struct FileState: Hashable, Sendable {
        let path: String
        let size: Int64
        let seconds: Int
        let nanoseconds: Int
        let inode: UInt64
    }

    private var states: [String: [FileState]] = [:]

    /// The state of a folder; empty when it does not exist.
    init(_ folder: URL) {
        for name in Self.names(folder) {
            // A write-ahead log is a part of its database; the index beside it changes with reading too.
            if name.hasSuffix("-shm") { continue }
            let store = name.hasSuffix("-wal") ? String(name.dropLast(4)) : name
            states[store, default: []] += Self.files(folder.appendingPathComponent(name), depth: 0)
        }
    }

    /// Whether there are no files.
    var isEmpty: Bool { states.isEmpty }

    /// The files of this state, and whether each is unchanged in a later state.
    func compared(with later: WorkspaceState) -> [FirstStore] {
        states.sorted { $0.key < $1.key }.map { name, files in
            FirstStore(name: name, isUnchanged: later.states[name] == files)
        }
    }

    /// Depth to which a folder is searched.
    private static let deepest = 3

    private static func files(_ url: URL, depth: Int) -> [FileState] {
        var info = stat()
        guard lstat(url.path, &info) == 0 else { return [] }
        if info.st_mode & S_IFMT == S_IFDIR, depth < deepest {
            return names(url).flatMap { files(url.appendingPathComponent($0), depth: depth + 1) }
        }
        // An empty log is equivalent to none.
        if info.st_size == 0, url.path.hasSuffix("-wal") { return [] }
        return [
            FileState(
                path: url.path, size: Int64(info.st_size), seconds: info.st_mtim.tv_sec,
                nanoseconds: info.st_mtim.tv_nsec, inode: UInt64(info.st_ino))
        ]
    }

    /// A missing or unreadable folder has no files whose state could change.
    private static func names(_ folder: URL) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }
}
