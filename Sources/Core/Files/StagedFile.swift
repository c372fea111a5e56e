import Foundation
import Synchronization

/// A file that appears whole under its name, or not at all: it is written beside it, and takes the name at the end. A file
/// that exists is only replaced when that is forced; then links are followed, and the mode is kept.
public final class StagedFile {
    private let url: URL
    private let temporary: String
    private let force: Bool
    private let parameter: String
    /// −1 once all of it is on the disk.
    private var descriptor: Int32
    /// Numbers the files that this process begins.
    private static let begun = Atomic(0)

    /// Begins a file. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS` for the parameter that named it.
    public init(_ url: URL, force: Bool, parameter: String = "out") throws(RutterError) {
        try Self.checkFree(url, force: force, parameter: parameter)
        self.url = force ? url.resolvingSymlinksInPath() : url
        (self.force, self.parameter) = (force, parameter)
        (descriptor, temporary) = Self.temporaryFile(in: self.url.deletingLastPathComponent())
        guard descriptor >= 0 else { throw Self.refused(url, errno, parameter) }
        var existing = stat()
        if stat(url.path, &existing) == 0 { fchmod(descriptor, existing.st_mode & 0o7777) }
    }

    /// A new file of a name of its own length: one made of the file's could be too long where the file's is not.
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
        // After the file has taken its name there is nothing left to remove.
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

    /// Puts all of it on the disk; nothing can be added after that. Files that wait for others hold no descriptor then.
    public func seal() throws(RutterError) {
        guard descriptor >= 0 else { return }
        guard fsync(descriptor) == 0 else { throw Self.refused(url, errno, parameter) }
        close(descriptor)
        descriptor = -1
    }

    /// Gives the file its name, once all of it is on the disk.
    public func finish() throws(RutterError) {
        try seal()
        // A link, unlike a rename, never replaces a file that appeared meanwhile. Some file systems have none.
        if !force, link(temporary, url.path) == 0 { return }
        if !force, errno == EEXIST { throw Self.exists(url, parameter) }
        guard force || [EPERM, EOPNOTSUPP, ENOSYS].contains(errno), rename(temporary, url.path) == 0 else {
            throw Self.refused(url, errno, parameter)
        }
    }

    /// Throws `E-FILE-EXISTS` where there is something under the name, unless forced, and `E-FILE-ACCESS` where it is no
    /// regular file: a file put in the place of `/dev/null` would harm the whole system.
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
            "\(url.lastPathComponent) exists already", at: .parameter(parameter),
            fix: "choose another name, or add --force")
    }

    private static func refused(_ url: URL, _ reason: Int32, _ parameter: String) -> RutterError {
        CommonErrors.fileAccess(
            "\(url.lastPathComponent) cannot be written: \(String(cString: strerror(reason)))",
            at: .parameter(parameter))
    }
}
