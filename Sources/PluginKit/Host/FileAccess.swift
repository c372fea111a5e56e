import Foundation
import Synchronization

/// Which files a session may access. Every path passed to a command is checked here.
public struct FileAccess: Sendable {
    /// Folders in which relative paths are looked up, in order; writing uses the first.
    public var searchFolders: [URL]
    /// Folders (or files) below which reading is allowed; `nil` allows all.
    public var readable: [URL]?
    /// Files with their own names, such as a notebook's data.
    public var named: [String: URL] = [:]
    /// Folders below which writing is allowed; `nil` allows all.
    public var writable: [URL]?
    /// The folder of relative output paths.
    public var outputFolder: URL
    /// Whether the network may be used.
    public var allowsNetwork: Bool
    /// Folders of external plugins, each with its register of trusted plugins; the first is written to. `nil`
    /// forbids external plugins.
    public var pluginFolders: [URL]?
    /// What is passed to the process to read, such as `/dev/stdin`; `nil` where its input is something else.
    public var standardInput: URL?
    /// Records input files, so that a saved notebook can list its data.
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

    /// The file or folder to read for a path; throws `E-FILE-MISSING` or `E-FILE-CONFINED`. An executable
    /// program is not recorded as data of a saved notebook.
    public func input(_ path: String, isProgram: Bool = false) throws -> URL {
        try Self.checkSpelling(path)
        let candidates = candidates(path)
        // The error must not reveal whether a forbidden file exists: it depends on allowed files only.
        let allowed = candidates.filter { Self.allows(readable, $0) }
        for candidate in allowed where FileManager.default.fileExists(atPath: candidate.path) {
            // What the session wrote itself is made again by its entries.
            if log.isOwn(candidate) { return candidate }
            log.note(.init(name: path, url: candidate, isProgram: isProgram))
            return candidate
        }
        if allowed.count < candidates.count {
            throw CommonErrors.confined("reading \(path) is not allowed here")
        }
        throw CommonErrors.fileMissing(
            "no such file: \(path)", suggestion: nearest(to: path, candidates))
    }

    /// The path of a file or folder beside a missing one that has nearly its name; `nil` if none has.
    private func nearest(to path: String, _ missing: [URL]) -> String? {
        let name = (path as NSString).lastPathComponent
        let folder = path.dropLast(name.count)
        guard path.hasSuffix(name) else { return nil }
        for url in missing {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path))
                ?? []
            let visible = names.filter { !$0.hasPrefix(".") }.sorted()
            guard visible.count <= Self.mostNames else { continue }
            let near = Suggestion.nearest(
                to: name, in: visible.filter { $0.lowercased() != name.lowercased() })
            let same = visible.first { $0 != name && $0.lowercased() == name.lowercased() }
            if let found = same ?? near,
                Self.allows(readable, url.deletingLastPathComponent().appendingPathComponent(found))
            {
                return folder + found
            }
        }
        return nil
    }

    /// Most names of a folder among which a missing one is looked for.
    private static let mostNames = 5000

    /// The file to write for a path; throws `E-FILE-CONFINED`.
    public func output(_ path: String) throws -> URL {
        try Self.checkSpelling(path)
        let url = Self.url(Self.expanded(path), in: outputFolder)
        guard Self.allows(writable, url) else {
            throw CommonErrors.confined("writing \(path) is not allowed here")
        }
        log.noteOutput(url)
        return url
    }

    /// The folder that data file names are relative to: that of the named files, otherwise the session's own.
    public var dataFolder: URL? {
        for (name, url) in named.sorted(by: { $0.key < $1.key }) where url.path.hasSuffix("/" + name) {
            return URL(fileURLWithPath: String(url.path.dropLast(name.count)), isDirectory: true)
        }
        return searchFolders.last
    }

    /// Where a path is looked up: first where the session wrote it, if it did.
    private func candidates(_ path: String) -> [URL] {
        let written = Self.url(Self.expanded(path), in: outputFolder)
        return (log.isOwn(written) ? [written] : []) + inputs(path)
    }

    private func inputs(_ path: String) -> [URL] {
        if let known = named[path] { return [known.standardizedFileURL] }
        let expanded = Self.expanded(path)
        if expanded.hasPrefix("/") { return [URL(fileURLWithPath: expanded).standardizedFileURL] }
        return searchFolders.map { Self.url(expanded, in: $0) }
    }

    /// The file of a path in a folder. Joined as text: a URL of a folder without a trailing slash (because
    /// the folder did not exist when it was created) would be treated as a file.
    private static func url(_ path: String, in folder: URL) -> URL {
        let joined = path.hasPrefix("/") ? path : folder.path + "/" + path
        return URL(fileURLWithPath: joined).standardizedFileURL
    }

    /// What `~` stands for: `HOME`, as in a shell, which a container or `sudo` may set to another folder than the account's.
    public static var homeDirectory: String {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        return home.hasPrefix("/") ? home : NSHomeDirectory()
    }

    private static func expanded(_ path: String) -> String {
        path == "~" || path.hasPrefix("~/") ? homeDirectory + path.dropFirst() : path
    }

    /// The operating system ends a path at a zero byte, and reads an empty path as the folder itself.
    private static func checkSpelling(_ path: String) throws(RutterError) {
        if path.isEmpty { throw CommonErrors.fileMissing("the file's name is empty") }
        if path.utf8.contains(0) { throw CommonErrors.fileMissing("the file's name contains a zero byte") }
    }

    /// Compares real paths, so that symbolic links cannot escape.
    private static func allows(_ roots: [URL]?, _ url: URL) -> Bool {
        guard let roots else { return true }
        // Compares bytes, because names that are canonically equal in Unicode are different files.
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
            // A dangling link must not be followed when the file is created.
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: existing.path)) != nil {
                return "/dev/null/dangling"
            }
            if existing.path == "/" { return url.path }
            rest.append(existing.lastPathComponent)
            existing.deleteLastPathComponent()
        }
    }
}

/// The input files of a session, by the names used.
public final class InputLog: Sendable {
    /// A file or folder that was read.
    public struct Input: Sendable {
        /// The name used.
        public let name: String
        /// Its location.
        public let url: URL
        /// Whether it is executed, not read: a plugin.
        public let isProgram: Bool
    }

    private let files = Mutex<[Input]>([])
    /// The files that entries wrote or meant to write, each with its state before; `nil` where it did not exist.
    private let outputs = Mutex<[String: State?]>([:])

    /// What tells whether a file was replaced or changed.
    private struct State: Equatable {
        let number: UInt64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var info = stat()
            guard lstat(path, &info) == 0 else { return nil }
            (number, seconds, nanoseconds) = (UInt64(info.st_ino), info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
        }
    }

    /// Remembers a file that is about to be written.
    func noteOutput(_ url: URL) {
        let state = State(url.path)
        outputs.withLock { known in
            if !known.keys.contains(url.path) { known.updateValue(state, forKey: url.path) }
        }
    }

    /// Whether a file was written since it was named as output.
    func isOwn(_ url: URL) -> Bool {
        guard let before = outputs.withLock({ $0[url.path] }), let now = State(url.path) else { return false }
        return now != before
    }

    /// Records a file once.
    func note(_ file: Input) {
        files.withLock { if !$0.contains(where: { $0.name == file.name }) { $0.append(file) } }
    }

    /// The files read, in order of first use.
    public var all: [Input] { files.withLock { $0 } }
}
