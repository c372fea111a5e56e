import Core
import Foundation

/// A file that a walk found: on disk, or in an archive.
public struct SourceFile: Sendable {
    /// Its whole path from the path that was given: `week.zip/may/walk.fit.gz`.
    public let path: String
    /// The file on disk; `nil` in an archive.
    public let url: URL?
    /// Its bytes, or why they cannot be read.
    public let content: Result<SourceBytes, RutterError>

    /// Its name without folders, compression and extension.
    public var stem: String {
        var name = (path as NSString).lastPathComponent as NSString
        if SourceWalk.compressions.contains(name.pathExtension.lowercased()) {
            name = name.deletingPathExtension as NSString
        }
        return name.deletingPathExtension
    }
}

/// A file that a walk did not return, and why.
public struct UnreadFile: Sendable, Equatable {
    /// Why it was not read.
    public enum Reason: Sendable, Equatable {
        /// Neither its name nor its first bytes are of a wanted kind.
        case unknownKind
        /// The same, of a kind that is known to the caller by these words.
        case otherKind(String)
        /// It is a link or a device: what it leads to may lie outside.
        case notAFile
        /// Its name is not UTF-8 text, so that it cannot be opened.
        case name

        /// What is said after "not read: ".
        public var words: String {
            switch self {
            case .unknownKind: "of no known kind"
            case .otherKind(let words): words
            case .notAFile: "a link or device is not followed"
            case .name: "its name is not UTF-8 text: rename it"
            }
        }
    }

    /// Its whole path from the path that was given.
    public let path: String
    /// Why it was not read.
    public let reason: Reason
}

/// Goes through files, folders and archives, also archives in archives, and returns the files in them, one at a time.
///
/// Paths that are given are returned whatever they are. In folders and archives, files are returned whose names have one of
/// the wanted extensions (also followed by that of a compression) or whose first bytes are of a wanted kind; archives are
/// recognised by their bytes. All others are listed in `unread`, but for the files of `SystemFiles`. Files of archives are kept
/// in memory while they are read.
public struct SourceWalk {
    private enum Frame {
        /// Paths that were given.
        case paths(ArraySlice<URL>)
        /// Paths below a folder, and its name in reports.
        case folder(URL, names: ArraySlice<String>, name: String)
        /// An archive, its path in reports, its depth, and whether its path was given.
        case archive(ArchiveReader, path: String, depth: Int, isGiven: Bool)
    }

    /// Files of folders and archives that were passed by so far, in their order.
    public private(set) var unread: [UnreadFile] = []

    private var frames: [Frame]
    private let extensions: Set<String>
    private let isWhole: (SourceBytes) -> Bool
    private let recognises: (SourceBytes) -> Bool
    private let describes: (SourceBytes) -> String?
    private let limits: ArchiveLimits
    private let check: () throws -> Void
    private var count = 0

    /// Maximum depth of archives in archives.
    static let deepest = 4
    /// Maximum files of one walk.
    public static let mostFiles = 10_000

    /// Maximum files that one walk passes by.
    static let mostUnread = 200_000
    /// Bytes from which a file without a wanted name is recognised.
    static let head = 4096

    /// A walk through paths. `isWhole` decides whether an archive is one file to the caller, `recognises` whether the first
    /// bytes of a file are of a wanted kind, `describes` what a file of another kind is; `check` is called between files and pieces.
    public init(
        _ urls: [URL], extensions: Set<String>, limits: ArchiveLimits = .standard,
        isWhole: @escaping (SourceBytes) -> Bool = { _ in false },
        recognises: @escaping (SourceBytes) -> Bool = { _ in false },
        describes: @escaping (SourceBytes) -> String? = { _ in nil }, check: @escaping () throws -> Void
    ) {
        frames = [.paths(urls[...])]
        (self.extensions, self.limits, self.check) = (extensions, limits, check)
        (self.isWhole, self.recognises, self.describes) = (isWhole, recognises, describes)
    }

    /// The next file; `nil` at the end. An archive or entry that cannot be read is a file whose content is its error.
    /// Throws `E-ARCHIVE-LIMIT` for too many files, `E-FILE-MISSING` or `E-FILE-ACCESS` for a path, and the error of
    /// `check`.
    public mutating func next() throws -> SourceFile? {
        while let frame = frames.popLast() {
            try check()
            if let file = try step(frame) {
                count += 1
                guard count <= Self.mostFiles else {
                    throw ArchiveErrors.limit("more than \(Self.mostFiles) files")
                }
                return file
            }
        }
        return nil
    }

    /// The next file of a frame; `nil` if there is none, or if another frame comes first.
    private mutating func step(_ frame: Frame) throws -> SourceFile? {
        switch frame {
        case .paths(var urls):
            guard let url = urls.popFirst() else { return nil }
            frames.append(.paths(urls))
            return try start(url)
        case .folder(let url, var names, let name):
            guard let next = names.popFirst() else { return nil }
            frames.append(.folder(url, names: names, name: name))
            return try below(url, next, "\(name)/\(next)")
        case .archive(let reader, let path, let depth, let isGiven):
            return try entry(of: reader, path, depth, isGiven)
        }
    }

    // MARK: Folders

    private mutating func start(_ url: URL) throws -> SourceFile? {
        var isFolder: ObjCBool = false
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue
        else {
            return try open(SourceBytes(url), name, url, depth: 0, isGiven: true)
        }
        do {
            let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
                .filter { !SystemFiles.contains($0) }.sorted()
            frames.append(.folder(url, names: names[...], name: name))
            for path in UndecodableNames.below(url.path) { try pass("\(name)/\(path)", .name) }
        } catch let error as RutterError {
            throw error
        } catch {
            throw CommonErrors.fileAccess("\(name) cannot be read")
        }
        return nil
    }

    /// A path below a folder. Links are not followed, and what is opened is checked to lie in the folder.
    private mutating func below(_ folder: URL, _ name: String, _ path: String) throws -> SourceFile? {
        let url = folder.appendingPathComponent(name)
        var info = stat()
        guard lstat(url.path, &info) == 0 else { return nil }
        switch info.st_mode & S_IFMT {
        case S_IFDIR: return nil
        case S_IFREG: break
        default:
            try pass(path, .notAFile)
            return nil
        }
        do throws(RutterError) {
            guard let source = try SourceBytes(url, in: folder) else {
                try pass(path, .notAFile)
                return nil
            }
            return try open(source, path, url, depth: 0, isGiven: false)
        } catch {
            return try failed(path, error)
        }
    }

    private mutating func pass(_ path: String, _ reason: UnreadFile.Reason) throws(RutterError) {
        guard unread.count < Self.mostUnread else {
            throw ArchiveErrors.limit("more than \(Self.mostUnread) files of no known kind")
        }
        unread.append(UnreadFile(path: path, reason: reason))
    }

    private func isWanted(_ path: String) -> Bool {
        var name = path as NSString
        if Self.compressions.contains(name.pathExtension.lowercased()) {
            name = name.deletingPathExtension as NSString
        }
        return extensions.contains(name.pathExtension.lowercased())
    }

    /// Extensions of compressed files that are no archives.
    public static let compressions: Set = ["gz", "bz2", "xz", "zst"]

    // MARK: Archives

    /// The file; `nil` if it is an archive, which is opened, or of no wanted kind.
    private mutating func open(
        _ source: SourceBytes, _ path: String, _ url: URL?, depth: Int, isGiven: Bool
    ) throws(RutterError) -> SourceFile? {
        guard let container = try source.container(), !isWhole(source), try !source.isDocument() else {
            guard isGiven || isWanted(path) || recognises(source) else {
                try pass(path, describes(source).map { .otherKind($0) } ?? .unknownKind)
                return nil
            }
            return SourceFile(path: path, url: url, content: .success(source))
        }
        guard depth < Self.deepest else {
            throw ArchiveErrors.limit("\(path): archives are nested more than \(Self.deepest) deep")
        }
        do {
            let reader = try ArchiveReader(
                source, as: container.formats, limits: limits, isCut: source.isCutZip, check: check)
            frames.append(.archive(reader, path: path, depth: depth + 1, isGiven: isGiven))
        } catch let error as RutterError {
            let whole = ArchiveReader.salvaged(source, as: container.formats, limits, from: error)
            guard let whole else { throw error }
            return try open(whole, path, nil, depth: depth + 1, isGiven: isGiven)
        } catch {
            throw Interruption.stopped
        }
        return nil
    }

    private mutating func entry(
        of reader: ArchiveReader, _ path: String, _ depth: Int, _ isGiven: Bool
    ) throws -> SourceFile? {
        let found: ArchiveEntry
        do {
            guard let next = try reader.next() else {
                return reader.isCutZip ? try failed(path, reader.cutError) : nil
            }
            found = next
        } catch let error as RutterError {
            if let whole = reader.salvaged(from: error) {
                return try open(whole, path, nil, depth: depth, isGiven: isGiven)
            }
            return try failed(path, error)
        }
        frames.append(.archive(reader, path: path, depth: depth, isGiven: isGiven))
        // A compressed file that is no archive has the path of the file around it.
        let inner = reader.isSingle ? path : "\(path)/\(found.path)"
        do {
            try found.require()
            let read = try bytes(reader, found.path, isGiven: isGiven && reader.isSingle)
            guard case .wanted(let source) = read else {
                if case .passed(let reason) = read { try pass(inner, reason) }
                return nil
            }
            return try open(source, inner, nil, depth: depth, isGiven: isGiven && reader.isSingle)
        } catch let error as RutterError {
            return try failed(inner, error)
        }
    }

    /// An entry of an archive: its bytes, or why neither its name nor its first bytes are of a wanted kind.
    private enum Entry {
        case wanted(SourceBytes)
        case passed(UnreadFile.Reason)
    }

    /// The bytes of the current entry, if it is of a wanted kind.
    private func bytes(_ reader: ArchiveReader, _ path: String, isGiven: Bool) throws -> Entry {
        let name = (path as NSString).lastPathComponent
        if isGiven || isWanted(path) {
            return .wanted(SourceBytes(try reader.bytes(keepsCut: true), name: name, cut: reader.cut))
        }
        let head = try reader.bytes(limit: Self.head, keepsCut: true)
        let source = SourceBytes(head, name: name, cut: reader.cut)
        guard try source.container() != nil || recognises(source) else {
            return .passed(describes(source).map { .otherKind($0) } ?? .unknownKind)
        }
        return .wanted(
            head.count <= Self.head
                ? source
                : SourceBytes(head + (try reader.bytes(keepsCut: true)), name: name, cut: reader.cut))
    }

    /// A file whose content is an error; an interruption is thrown.
    private func failed(_ path: String, _ error: RutterError) throws -> SourceFile {
        if error.kind == CommonErrors.interrupted { throw error }
        return SourceFile(path: path, url: nil, content: .failure(error))
    }
}
