import Foundation
import PluginKit

/// Limits requests to one a second, across all sessions of a workspace.
///
/// The time of the last request is in a locked file, by the machine's monotonic clock: the session's clock may be set.
struct RequestLimiter {
    private let path: String

    init(_ context: Context) { path = context.workspace.appendingPathComponent(".places.pace").path }

    /// Waits until a request is allowed, and records it. Throws `E-INTERRUPTED`.
    func wait() async throws {
        while let pause = try turn() {
            do {
                try await Task.sleep(for: .seconds(pause))
            } catch {
                throw Interruption.stopped
            }
        }
    }

    /// Records a request, or returns the seconds until the next one is allowed.
    private func turn() throws -> Double? {
        let file = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw CommonErrors.fileAccess(
                ".places.pace cannot be created: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        while flock(file, LOCK_EX) != 0, errno == EINTR {}
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        let seconds = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &bytes, bytes.count, 0)
        let last = count > 0 ? Double(String(decoding: bytes[..<count], as: UTF8.self)) : nil
        // A time in the future is from before a restart of the machine.
        if let last, last <= seconds, last + PlaceSettings.interval > seconds {
            return last + PlaceSettings.interval - seconds
        }
        let text = Array("\(seconds)".utf8)
        guard ftruncate(file, 0) == 0, pwrite(file, text, text.count, 0) == text.count else {
            throw CommonErrors.fileAccess(
                ".places.pace cannot be written: \(String(cString: strerror(errno)))")
        }
        return nil
    }
}
