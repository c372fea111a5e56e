import Foundation

/// Files of a folder that are replaced together or not at all: each is written beside its target, and all are
/// renamed at the end. The folder is created if necessary, and removed if nothing was written.
public final class StagedFolder {
    private let url: URL
    private let force: Bool
    private let parameter: String
    private let isNew: Bool
    private var files: [(file: StagedFile, url: URL)] = []

    /// Prepares a folder for files of these names. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS` for the
    /// parameter before any work is done.
    public init(
        _ url: URL, names: [String], force: Bool, parameter: String = "out"
    ) throws(RutterError) {
        (self.url, self.force, self.parameter) = (url, force, parameter)
        for name in names {
            try StagedFile.checkFree(url.appendingPathComponent(name), force: force, parameter: parameter)
        }
        var info = stat()
        let isFolder = stat(url.path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        isNew = !isFolder
        guard isFolder || mkdir(url.path, 0o777) == 0 else {
            throw CommonErrors.fileAccess(
                "the folder \(url.lastPathComponent) cannot be created: \(String(cString: strerror(errno)))",
                at: .parameter(parameter))
        }
    }

    deinit {
        files = []
        // A non-empty folder is kept.
        if isNew { rmdir(url.path) }
    }

    /// Adds a file.
    public func add(_ name: String, _ data: Data) throws(RutterError) {
        let place = url.appendingPathComponent(name)
        let file = try StagedFile(place, force: force, parameter: parameter)
        try data.bytes.withUnsafeBytes { bytes throws(RutterError) in try file.write(bytes) }
        try file.seal()
        files.append((file, place))
    }

    /// Renames the files. If one fails, none is renamed; files already replaced by force stay replaced.
    public func finish() throws(RutterError) {
        for (index, (file, _)) in files.enumerated() {
            do {
                try file.finish()
            } catch {
                if !force { for (_, done) in files[..<index] { FileManager.default.discard(done) } }
                throw error
            }
        }
    }
}
