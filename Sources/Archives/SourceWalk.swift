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
        if name.pathExtension.lowercased() == "gz" { name = name.deletingPathExtension as NSString }
        return name.deletingPathExtension
    }
}

/// Goes through files, folders and archives, also archives in archives, and returns the files in them, one at a time.
///
/// In folders and archives, files are read whose names have one of the wanted extensions (also followed by `.gz`), and
/// archives; links and the files of `SystemFiles` are skipped. Files of archives are kept in memory while they are read.
public struct SourceWalk {
    private enum Frame {
        case paths(ArraySlice<URL>)
        /// Paths below a folder, and its name in reports.
        case folder(URL, names: ArraySlice<String>, name: String)
        /// An archive, its path in reports, and its depth.
        case archive(ArchiveReader, path: String, depth: Int)
    }

    private var frames: [Frame]
    private let extensions: Set<String>
    private let isWhole: (SourceBytes) -> Bool
    private let limits: ArchiveLimits
    private let check: () throws -> Void
    private var count = 0

    /// Maximum depth of archives in archives.
    static let deepest = 4
    /// Maximum files of one walk.
    public static let mostFiles = 10_000

    /// A walk through paths. `isWhole` decides whether an archive is one file to the caller; `check` is called between
    /// files and pieces.
    public init(
        _ urls: [URL], extensions: Set<String>, limits: ArchiveLimits = .standard,
        isWhole: @escaping (SourceBytes) -> Bool = { _ in false }, check: @escaping () throws -> Void
    ) {
        frames = [.paths(urls[...])]
        (self.extensions, self.limits, self.isWhole, self.check) = (extensions, limits, isWhole, check)
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
            return try below(url.appendingPathComponent(next), "\(name)/\(next)")
        case .archive(let reader, let path, let depth):
            return try entry(of: reader, path, depth)
        }
    }

    // MARK: Folders

    private mutating func start(_ url: URL) throws -> SourceFile? {
        var isFolder: ObjCBool = false
        let name = url.lastPathComponent
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue
        else {
            return try open(SourceBytes(url), name, url, depth: 0)
        }
        do {
            let names = try FileManager.default.subpathsOfDirectory(atPath: url.path).filter(isWanted)
                .sorted()
            frames.append(.folder(url, names: names[...], name: name))
        } catch {
            throw CommonErrors.fileAccess("\(name) cannot be read")
        }
        return nil
    }

    private mutating func below(_ url: URL, _ path: String) throws -> SourceFile? {
        // Links may point outside the folder.
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
            return nil
        }
        do throws(RutterError) {
            return try open(SourceBytes(url), path, url, depth: 0)
        } catch {
            return try failed(path, error)
        }
    }

    private func isWanted(_ path: String) -> Bool {
        if SystemFiles.contains(path) { return false }
        let name = path as NSString
        let ending = name.pathExtension.lowercased()
        if ending == "gz" {
            let inner = (name.deletingPathExtension as NSString).pathExtension.lowercased()
            return inner == "tar" || extensions.contains(inner)
        }
        return extensions.contains(ending) || Self.archives.contains(ending)
    }

    private static let archives: Set = ["zip", "kmz", "tgz", "tar"]

    // MARK: Archives

    /// The file, or `nil` after opening it if it is an archive.
    private mutating func open(
        _ source: SourceBytes, _ path: String, _ url: URL?, depth: Int
    ) throws(RutterError) -> SourceFile? {
        guard let container = try source.container(), !isWhole(source) else {
            return SourceFile(path: path, url: url, content: .success(source))
        }
        guard depth < Self.deepest else {
            throw ArchiveErrors.limit("\(path): archives are nested more than \(Self.deepest) deep")
        }
        let formats: ArchiveFormats = container == .gzip ? [.gzip, .tar, .single] : [.zip, .tar]
        do {
            let reader = try ArchiveReader(source, as: formats, limits: limits, check: check)
            frames.append(.archive(reader, path: path, depth: depth + 1))
        } catch let error as RutterError {
            throw error
        } catch {
            throw Interruption.stopped
        }
        return nil
    }

    private mutating func entry(of reader: ArchiveReader, _ path: String, _ depth: Int) throws -> SourceFile?
    {
        let found: ArchiveEntry
        do {
            guard let next = try reader.next() else { return nil }
            found = next
        } catch let error as RutterError {
            return try failed(path, error)
        }
        frames.append(.archive(reader, path: path, depth: depth))
        // A compressed file that is no archive has the path of the file around it.
        let inner = reader.isSingle ? path : "\(path)/\(found.path)"
        guard reader.isSingle || isWanted(found.path) else { return nil }
        do {
            try found.require()
            let name = (found.path as NSString).lastPathComponent
            return try open(SourceBytes(reader.bytes(), name: name), inner, nil, depth: depth)
        } catch let error as RutterError {
            return try failed(inner, error)
        }
    }

    /// A file whose content is an error; an interruption is thrown.
    private func failed(_ path: String, _ error: RutterError) throws -> SourceFile {
        if error.kind == CommonErrors.interrupted { throw error }
        return SourceFile(path: path, url: nil, content: .failure(error))
    }
}
