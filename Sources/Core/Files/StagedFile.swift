import Foundation
import Synchronization

/// A file that is replaced atomically: it is written to a temporary name beside the target, then renamed. An
/// existing file is replaced only if forced; then links are followed and the mode is kept.
public final class StagedFile {
    private let url: URL
    private let temporary: String
    private let force: Bool
    private let parameter: String
    /// −1 after the data was synced to disk.
    private var descriptor: Int32
    /// Numbers this process's temporary files.
    private static let begun = Atomic(0)

    /// Creates the temporary file. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS` for the parameter.
    public init(_ url: URL, force: Bool, parameter: String = "out") throws(RutterError) {
        try Self.checkFree(url, force: force, parameter: parameter)
        self.url = force ? url.resolvingSymlinksInPath() : url
        (self.force, self.parameter) = (force, parameter)
        (descriptor, temporary) = Self.temporaryFile(in: self.url.deletingLastPathComponent())
        guard descriptor >= 0 else { throw Self.refused(url, errno, parameter) }
        var existing = stat()
        if stat(url.path, &existing) == 0 { fchmod(descriptor, existing.st_mode & 0o7777) }
    }

    /// A temporary name of fixed length: one derived from the file's name could be too long.
    private static func temporaryFile(in folder: URL) -> (Int32, String) {
        while true {
            let number = begun.add(1, ordering: .relaxed).oldValue
            let path = folder.appendingPathComponent(".rutter-\(getpid())-\(number).part").path
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 || errno != EEXIST { return (descriptor, path) }
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        // After the rename there is nothing to remove.
        unlink(temporary)
    }

    /// Adds bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(RutterError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno != EINTR { throw Self.refused(url, errno, parameter) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Syncs the data to disk and closes the descriptor; nothing can be added afterwards.
    func seal() throws(RutterError) {
        guard descriptor >= 0 else { return }
        guard fsync(descriptor) == 0 else { throw Self.refused(url, errno, parameter) }
        close(descriptor)
        descriptor = -1
    }

    /// Gives the file its name, after syncing it.
    public func finish() throws(RutterError) { try finish(syncs: true) }

    /// The same, without syncing a file that is rebuilt if it is damaged.
    func finish(syncs: Bool) throws(RutterError) {
        if syncs { try seal() }
        try AtomicFile.publish(
            URL(fileURLWithPath: temporary), as: url,
            policy: force ? .replace : .exclusive(fix: Self.anotherName), syncs: false,
            at: .parameter(parameter))
    }

    /// Throws `E-FILE-EXISTS` if the name exists, unless forced, and `E-FILE-ACCESS` if it is not a regular
    /// file: replacing `/dev/null` would harm the whole system.
    public static func checkFree(
        _ url: URL, force: Bool, parameter: String = "out"
    ) throws(RutterError) {
        var info = stat()
        if !force, lstat(url.path, &info) == 0 { throw exists(url, parameter) }
        guard stat(url.path, &info) != 0 || info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess(
                "\(url.lastPathComponent) is not a regular file", at: .parameter(parameter))
        }
    }

    private static func exists(_ url: URL, _ parameter: String) -> RutterError {
        CommonErrors.fileExists(
            "\(url.lastPathComponent) already exists", at: .parameter(parameter), fix: anotherName)
    }

    private static let anotherName = "choose another name, or add --force"

    private static func refused(_ url: URL, _ reason: Int32, _ parameter: String) -> RutterError {
        AtomicFile.refused(url, reason, at: .parameter(parameter))
    }
}
