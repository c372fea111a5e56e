import Foundation

/// Gives a finished temporary file its name: readers see the old file or the complete new one.
public enum AtomicFile {
    /// What happens to a file that has the name already.
    public enum Policy: Sendable {
        /// It is replaced.
        case replace
        /// It is kept: `E-FILE-EXISTS`, with a fix.
        case exclusive(fix: String = "choose another name; existing files are never replaced")
    }

    /// Syncs a temporary file or folder and moves it to its name in the same file system.
    ///
    /// Throws `E-FILE-EXISTS`, or `E-FILE-ACCESS` with the operating system's reason; the temporary file remains then, and
    /// the target is unchanged. Of a folder only the list of its files is synced, not their contents.
    ///
    /// - Parameter syncs: Whether the data is synced to disk first; not for what is synced already, or is rebuilt if it is
    ///   damaged.
    public static func publish(
        _ temporary: URL, as target: URL, policy: Policy, syncs: Bool = true,
        at place: RutterError.Place = .none
    ) throws(RutterError) {
        if syncs { try sync(temporary, as: target, at: place) }
        switch policy {
        case .replace:
            guard rename(temporary.path, target.path) == 0 else { throw refused(target, errno, at: place) }
        case .exclusive(let fix):
            try move(temporary, to: target, fix, place)
        }
        guard syncs else { return }
        // Some file systems cannot sync a folder; the file has its name already.
        let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    /// Replaces the contents of a file by bytes. `syncs` as above. Throws `E-FILE-ACCESS`; the old file is unchanged then.
    public static func replace(_ url: URL, with bytes: UnsafeRawBufferPointer, syncs: Bool = true)
        throws(RutterError)
    {
        let file = try StagedFile(url, force: true)
        try file.write(bytes)
        try file.finish(syncs: syncs)
    }

    /// Moves a file or folder without replacing another.
    private static func move(
        _ temporary: URL, to target: URL, _ fix: String, _ place: RutterError.Place
    ) throws(RutterError) {
        func taken() -> RutterError {
            CommonErrors.fileExists("\(target.lastPathComponent) already exists", at: place, fix: fix)
        }
        // Unlike a rename, a link never replaces a file created meanwhile. Folders and some file systems have none.
        if link(temporary.path, target.path) == 0 {
            unlink(temporary.path)
            return
        }
        if errno == EEXIST { throw taken() }
        guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw refused(target, errno, at: place) }
        var info = stat()
        if lstat(target.path, &info) == 0 { throw taken() }
        guard rename(temporary.path, target.path) == 0 else { throw refused(target, errno, at: place) }
    }

    private static func sync(_ url: URL, as target: URL, at place: RutterError.Place) throws(RutterError) {
        let descriptor = open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw refused(target, errno, at: place) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw refused(target, errno, at: place) }
    }

    /// `E-FILE-ACCESS` with the operating system's reason.
    static func refused(_ url: URL, _ reason: Int32, at place: RutterError.Place) -> RutterError {
        CommonErrors.fileAccess(
            "\(url.lastPathComponent) cannot be written: \(String(cString: strerror(reason)))", at: place)
    }
}
