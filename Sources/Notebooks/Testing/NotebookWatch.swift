import Foundation
import Glibc

/// Detects files that changed since the last call.
struct NotebookWatch {
    /// The stamp of a file.
    struct Stamp: Equatable, Sendable {
        let device: UInt64, inode: UInt64, size: Int64, seconds: Int, nanoseconds: Int

        /// The stamp of a file that exists.
        init?(path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            size = Int64(status.st_size)
            seconds = status.st_mtim.tv_sec
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    private var stamps: [String: Stamp] = [:]

    /// The files among those given that are new or have changed.
    mutating func changes(among paths: [String]) -> [String] {
        let now = Dictionary(paths.map { ($0, Stamp(path: $0)) }, uniquingKeysWith: { $1 }).compactMapValues {
            $0
        }
        let changed = paths.filter { now[$0] != nil && now[$0] != stamps[$0] }
        stamps = now
        return changed
    }
}
