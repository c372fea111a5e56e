import Foundation

/// Files of a folder that appear together, or not at all: each is written beside its name, and all take their names at the
/// end. The folder is made where there is none, and goes again when nothing came of it.
public final class StagedFolder {
    private let url: URL
    private let force: Bool
    private let parameter: String
    private let isNew: Bool
    private var files: [(file: StagedFile, url: URL)] = []

    /// Begins a folder for files of these names. Throws `E-FILE-EXISTS` or `E-FILE-ACCESS` for the parameter that named it:
    /// before the work is done, not after.
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
                "the folder \(url.lastPathComponent) cannot be made: \(String(cString: strerror(errno)))",
                at: .parameter(parameter))
        }
    }

    deinit {
        files = []
        // A folder with files in it stays.
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

    /// Gives the files their names. Where one cannot have its name, none does; what was replaced by force stays replaced.
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
