import Foundation

/// A lock between processes: a file or folder that one of them holds at a time. It ends with the process.
public final class FileLock: Sendable {
    private let descriptor: Int32

    /// Waits for the lock of a folder, or of a file, which is created. Throws `E-FILE-ACCESS` if the file cannot be created or locked.
    public convenience init(_ url: URL) throws(RutterError) {
        try self.init(opening: url)
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure(url) }
        }
    }

    /// Waits for the lock, and calls `check` meanwhile. Throws as `init` does, and what `check` throws.
    public static func waiting(_ url: URL, check: () throws -> Void) async throws -> FileLock {
        let lock = try FileLock(opening: url)
        while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(url) }
            try check()
            do { try await Task.sleep(for: pause) } catch { throw Interruption.stopped }
        }
        return lock
    }

    private init(opening url: URL) throws(RutterError) {
        var info = stat()
        let isFolder = stat(url.path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        descriptor = open(url.path, (isFolder ? O_RDONLY : O_CREAT | O_RDWR) | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(url) }
    }

    private static let pause = Duration.milliseconds(10)

    private static func failure(_ url: URL) -> RutterError {
        CommonErrors.fileAccess(
            "\(url.lastPathComponent) cannot be locked: \(String(cString: strerror(errno)))")
    }

    /// Unlocks before closing: a process that was started meanwhile may hold the descriptor, too.
    deinit {
        guard descriptor >= 0 else { return }
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
