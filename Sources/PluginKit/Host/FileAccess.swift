import Foundation
import Synchronization

/// Which files a session may touch. Every path that a command gets has gone through here.
public struct FileAccess: Sendable {
    /// Folders that relative paths are looked up in, the first that has the file; writing uses the first.
    public var searchFolders: [URL]
    /// Folders (or files) below which reading is allowed; `nil` allows all.
    public var readable: [URL]?
    /// Files that are known by a name of their own, such as a notebook's data.
    public var named: [String: URL] = [:]
    /// Folders below which writing is allowed; `nil` allows all.
    public var writable: [URL]?
    /// Where relative paths are written to.
    public var outputFolder: URL
    /// Whether the network may be used.
    public var allowsNetwork: Bool
    /// Folders of plugins of others, each with its register of the trusted ones; the first is written to. `nil` forbids
    /// such plugins.
    public var pluginFolders: [URL]?
    /// Remembers what was read, so that a saved notebook can name its data.
    public let log = InputLog()

    /// Access without limits, relative paths from a folder.
    public init(unconfinedIn folder: URL) {
        searchFolders = [folder]
        readable = nil
        writable = nil
        outputFolder = folder
        allowsNetwork = true
    }

    /// Access to some folders only.
    public init(
        searchFolders: [URL], readable: [URL], writable: [URL], outputFolder: URL, allowsNetwork: Bool
    ) {
        self.searchFolders = searchFolders
        self.readable = readable
        self.writable = writable
        self.outputFolder = outputFolder
        self.allowsNetwork = allowsNetwork
    }

    /// The file or folder to read for a path; throws `E-FILE-MISSING` or `E-FILE-CONFINED`. One that is a program to be
    /// run is no data of a saved notebook.
    public func input(_ path: String, isProgram: Bool = false) throws -> URL {
        try Self.checkSpelling(path)
        let candidates = candidates(path)
        // Whether a forbidden file exists must not be told either: the outcome depends on allowed ones only.
        let allowed = candidates.filter { Self.allows(readable, $0) }
        for candidate in allowed where FileManager.default.fileExists(atPath: candidate.path) {
            log.note(.init(name: path, url: candidate, isProgram: isProgram))
            return candidate
        }
        if allowed.count < candidates.count {
            throw CommonErrors.confined("\(path) may not be read here")
        }
        throw CommonErrors.fileMissing("there is no file \(path)")
    }

    /// The file to write for a path; throws `E-FILE-CONFINED`.
    public func output(_ path: String) throws -> URL {
        try Self.checkSpelling(path)
        let url = Self.url(Self.expanded(path), in: outputFolder)
        guard Self.allows(writable, url) else {
            throw CommonErrors.confined("\(path) may not be written here")
        }
        return url
    }

    /// The folder that data files are named from: where the files known by name lie, else the session's own.
    public var dataFolder: URL? {
        for (name, url) in named.sorted(by: { $0.key < $1.key }) where url.path.hasSuffix("/" + name) {
            return URL(fileURLWithPath: String(url.path.dropLast(name.count)), isDirectory: true)
        }
        return searchFolders.last
    }

    private func candidates(_ path: String) -> [URL] {
        if let known = named[path] { return [known.standardizedFileURL] }
        let expanded = Self.expanded(path)
        if expanded.hasPrefix("/") { return [URL(fileURLWithPath: expanded).standardizedFileURL] }
        return searchFolders.map { Self.url(expanded, in: $0) }
    }

    /// The file of a path in a folder. Joined as text: a URL of a folder that does not end with a stroke, because the
    /// folder did not exist yet when it was made, would be taken for a file and its neighbours be meant.
    private static func url(_ path: String, in folder: URL) -> URL {
        let joined = path.hasPrefix("/") ? path : folder.path + "/" + path
        return URL(fileURLWithPath: joined).standardizedFileURL
    }

    private static func expanded(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? NSHomeDirectory() + path.dropFirst() : path
    }

    /// The operating system would end a path at a zero byte, and take an empty one for the folder itself.
    private static func checkSpelling(_ path: String) throws(RutterError) {
        if path.isEmpty { throw CommonErrors.fileMissing("the file's name is empty") }
        if path.utf8.contains(0) { throw CommonErrors.fileMissing("the file's name holds a zero byte") }
    }

    /// Compares real paths, so that a symbolic link leads nowhere else.
    private static func allows(_ roots: [URL]?, _ url: URL) -> Bool {
        guard let roots else { return true }
        // Bytes, because two names that Unicode takes for equal are two files.
        let real = Array(realPath(url).utf8)
        return roots.contains { root in
            let base = realPath(root)
            let folder = base.hasSuffix("/") ? base : base + "/"
            return real.elementsEqual(base.utf8) || real.starts(with: folder.utf8)
        }
    }

    /// The path with symbolic links resolved as far as it exists.
    static func realPath(_ url: URL) -> String {
        var existing = url.standardizedFileURL
        var rest: [String] = []
        while true {
            if let resolved = realpath(existing.path, nil) {
                defer { free(resolved) }
                return ([String(cString: resolved)] + rest.reversed()).joined(separator: "/")
                    .replacingOccurrences(of: "//", with: "/")
            }
            // A dangling link must not be followed by whoever creates the file.
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: existing.path)) != nil {
                return "/dev/null/dangling"
            }
            if existing.path == "/" { return url.path }
            rest.append(existing.lastPathComponent)
            existing.deleteLastPathComponent()
        }
    }
}

/// The input files of a session, by the names they were asked for.
public final class InputLog: Sendable {
    /// A file or folder that was read.
    public struct Input: Sendable {
        /// The name it was asked for by.
        public let name: String
        /// Where it is.
        public let url: URL
        /// Whether it is run, not read: a plugin.
        public let isProgram: Bool
    }

    private let files = Mutex<[Input]>([])

    /// Remembers a file, once.
    func note(_ file: Input) {
        files.withLock { if !$0.contains(where: { $0.name == file.name }) { $0.append(file) } }
    }

    /// What was read, in the order it was first asked for.
    public var all: [Input] { files.withLock { $0 } }
}
