import Foundation
import TrailStores

/// A database file that another program may write: its bytes, and the state of SQLite's locks. It takes no
/// lock, so that no program waits for it. Byte ranges of the locks:
/// https://www.sqlite.org/src/file?name=src/os.h (PENDING_BYTE)
final class WatchedFile {
    /// Changes when the file is written, except within one tick of the file system's clock.
    struct Stamp: Equatable {
        let size: Int
        let nanoseconds: Int

        /// Whether a later change will have a different time.
        var isSettled: Bool {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return now.tv_sec * 1_000_000_000 + now.tv_nsec - nanoseconds > LiveSettings.settled
        }
    }

    private static let reserved: off_t = 0x4000_0001
    private static let shared: off_t = 0x4000_0002
    private static let sharedCount: off_t = 510
    /// Linux's F_OFD_GETLK, which also sees locks of this process, unlike F_GETLK.
    private static let query: Int32 = 36

    /// Distinguishes files with the same path.
    let identity: UInt64
    private let path: String
    // Kept open: closing a file drops all locks that this process has on it.
    private let descriptor: Int32

    /// Opens a regular file; `nil` if there is none, or it cannot be read.
    init?(_ url: URL) {
        path = url.path
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var info = stat()
        identity = fstat(descriptor, &info) == 0 ? Self.identity(info) : 0
        // `deinit` closes it, also after a failure.
        guard descriptor >= 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The file at a path; `nil` if there is none.
    static func identity(_ url: URL) -> UInt64? {
        var info = stat()
        return stat(url.path, &info) == 0 ? identity(info) : nil
    }

    private static func identity(_ info: stat) -> UInt64 { UInt64(info.st_dev) << 32 ^ UInt64(info.st_ino) }

    var stamp: Stamp {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return Stamp(size: 0, nanoseconds: 0) }
        return Stamp(
            size: Int(info.st_size), nanoseconds: info.st_mtim.tv_sec * 1_000_000_000 + info.st_mtim.tv_nsec)
    }

    func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }

    /// Whether the file may be between two states: it is being written, or a write was interrupted.
    var isBetween: Bool {
        if isHeld(Self.shared, Self.sharedCount) { return true }
        // A writer that is preparing its transaction has a journal as well; a journal without a lock is to be
        // rolled back.
        return hasJournal && !isHeld(Self.reserved, 1) && hasJournal
    }

    private var hasJournal: Bool {
        let head = FileBytes(URL(fileURLWithPath: path + "-journal"))?.bytes(at: 0, count: 8) ?? []
        return head.contains { $0 != 0 }
    }

    private func isHeld(_ start: off_t, _ length: off_t) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (start, length)
        return fcntl(descriptor, Self.query, &lock) == 0 && lock.l_type == Int16(F_WRLCK)
    }
}
