import Foundation

/// The history file shared by sessions.
///
/// Each entry is appended when it is entered, in one write and under a lock, so that concurrent sessions do
/// not mix their lines and a kill loses nothing. When the file has grown to twice the limit it is rewritten
/// and renamed; a session that holds the old file detects it under the lock and opens the new one.
struct HistoryFile {
    /// Why history could not be read or written, in the system's words.
    struct Failure: Error, Equatable {
        let path: String
        let reason: String
    }

    let path: String
    let limit: Int

    init(path: String, limit: Int) {
        // A symbolic link must stay a link when the file is replaced.
        self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        self.limit = limit
    }

    /// The newest entries, oldest first.
    func load() throws(Failure) -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try withLockedFile { descriptor throws(Failure) in
            let entries = Self.entries(in: try read(descriptor))
            if entries.count > 2 * limit { try rewrite(entries.suffix(limit)) }
            return Array(entries.suffix(limit))
        }
    }

    /// Adds an entry.
    func append(_ entry: String) throws(Failure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try withLockedFile { descriptor throws(Failure) in
            // A line truncated by a crash must not merge with this one.
            let line = (endsMidLine(descriptor) ? "\n" : "") + HistoryEncoding.encode(entry) + "\n"
            try write(Array(line.utf8), to: descriptor)
        }
    }

    private static func entries(in bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"))
            .map { HistoryEncoding.decode(String(decoding: $0, as: UTF8.self)) }
    }

    private func withLockedFile<T>(_ body: (Int32) throws(Failure) -> T) throws(Failure) -> T {
        while true {
            let descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw failure() }
            defer { close(descriptor) }
            while flock(descriptor, LOCK_EX) == -1 {
                if errno != EINTR { throw failure() }
            }
            // Another session may have replaced the file while this one waited for the lock.
            guard isStillCurrent(descriptor) else { continue }
            fchmod(descriptor, 0o600)
            return try body(descriptor)
        }
    }

    private func isStillCurrent(_ descriptor: Int32) -> Bool {
        var opened = stat()
        var named = stat()
        guard fstat(descriptor, &opened) == 0, stat(path, &named) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private func read(_ descriptor: Int32) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw failure() }
        }
    }

    private func endsMidLine(_ descriptor: Int32) -> Bool {
        let size = lseek(descriptor, 0, SEEK_END)
        var last: UInt8 = 0
        return size > 0 && pread(descriptor, &last, 1, size - 1) == 1 && last != UInt8(ascii: "\n")
    }

    private func write(_ bytes: [UInt8], to descriptor: Int32) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw failure() }
        }
    }

    private func rewrite(_ entries: ArraySlice<String>) throws(Failure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        try write(entries.flatMap { Array((HistoryEncoding.encode($0) + "\n").utf8) }, to: descriptor)
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw failure() }
    }

    private func failure() -> Failure { Failure(path: path, reason: String(cString: strerror(errno))) }
}
