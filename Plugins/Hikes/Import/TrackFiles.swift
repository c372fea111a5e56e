import CArchive
import Foundation
import PluginKit
import TrailStores

/// The files read by an import: named files, and those in folders and ZIP archives.
struct TrackFiles {
    private(set) var files: [TrackFile] = []
    /// The folder of unpacked entries; removed by `close`.
    private var folder: URL?

    /// Collects the files of each path. Throws `E-HIKE-ARCHIVE`, `E-FILE-ACCESS`, or the error of `check`.
    init(_ urls: [URL], check: () throws -> Void) throws {
        do {
            for url in urls { try add(url, check) }
        } catch {
            close()
            throw error
        }
    }

    /// Removes unpacked files.
    func close() {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private mutating func add(_ url: URL, _ check: () throws -> Void) throws {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        if isFolder.boolValue { return try addFolder(url, check) }
        guard try Self.isArchive(url) else {
            return files.append(TrackFile(name: url.lastPathComponent, url: url))
        }
        try unpack(url, check)
    }

    private mutating func addFolder(_ url: URL, _ check: () throws -> Void) throws {
        let names: [String]
        do {
            names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
        } catch {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read")
        }
        for name in names.sorted()
        where HikeSettings.extensions.contains((name as NSString).pathExtension.lowercased()) {
            try check()
            let file = url.appendingPathComponent(name)
            // Links may point outside the folder.
            guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
                continue
            }
            try append(TrackFile(name: url.lastPathComponent + "/" + name, url: file))
        }
    }

    private mutating func append(_ file: TrackFile) throws {
        guard files.count < HikeSettings.mostFiles else {
            throw HikeErrors.archive("more than \(HikeSettings.mostFiles) files", at: .parameter("files"))
        }
        files.append(file)
    }

    private static func isArchive(_ url: URL) throws -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) cannot be read", at: .parameter("files"))
        }
        defer { try? file.close() }
        return (try? file.read(upToCount: 4)) == Data([0x50, 0x4B, 3, 4])
    }

    // MARK: Archives

    private static let largestEntry = 512 << 20
    /// Bytes that an archive of any size may unpack to; beyond that a multiple of its size.
    private static let freeSize = 64 << 20
    private static let largestRatio = 200

    private mutating func unpack(_ url: URL, _ check: () throws -> Void) throws {
        let name = url.lastPathComponent
        try NativeLibrary.archive.require()
        guard let archive = archive_read_new() else { throw CommonErrors.fileAccess("out of memory") }
        defer { archive_read_free(archive) }
        archive_read_support_format_zip_seekable(archive)
        func failure() -> RutterError {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
            return HikeErrors.archive("\(name): \(reason)", at: .parameter("files"))
        }
        guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else { throw failure() }
        let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
        var room = max(Self.freeSize, size * Self.largestRatio)
        var entry: OpaquePointer?
        while true {
            try check()
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF { return }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw failure() }
            guard let bytes = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry),
                let path = String(validatingCString: bytes),
                HikeSettings.extensions.contains((path as NSString).pathExtension.lowercased())
            else { continue }
            guard archive_entry_is_encrypted(entry) == 0 else {
                throw HikeErrors.archive("\(name): the entry `\(path)` is encrypted", at: .parameter("files"))
            }
            let target = try self.target(path)
            try Self.copy(archive, to: target, path, &room, name, failure, check)
            try append(TrackFile(name: name + "/" + path, url: target, stem: Self.stem(path)))
        }
    }

    /// The file that an entry is unpacked to: in a separate folder, under the last component of its path,
    /// which messages show. Other components are ignored, so that a path cannot lead out of the folder.
    private mutating func target(_ path: String) throws -> URL {
        let folder = try unpackingFolder().appendingPathComponent(String(files.count), isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        } catch {
            throw CommonErrors.fileAccess("not enough space for temporary files")
        }
        let name = (path as NSString).lastPathComponent
        let isUsable = name.utf8.count <= Self.longestName && !name.contains("/") && !name.hasPrefix(".")
        return folder.appendingPathComponent(
            isUsable ? name : "entry." + (path as NSString).pathExtension.lowercased())
    }

    /// Maximum bytes of a file name; every file system supports this length.
    private static let longestName = 200

    private static func stem(_ path: String) -> String {
        ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }

    private static func copy(
        _ archive: OpaquePointer, to target: URL, _ path: String, _ room: inout Int, _ name: String,
        _ failure: () -> RutterError, _ check: () throws -> Void
    ) throws {
        guard FileManager.default.createFile(atPath: target.path, contents: nil),
            let file = try? FileHandle(forWritingTo: target)
        else { throw CommonErrors.fileAccess("not enough space to unpack \(name)") }
        defer { try? file.close() }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var total = 0
        while true {
            try check()
            let count = buffer.withUnsafeMutableBytes { archive_read_data(archive, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw failure() }
            if count == 0 { return }
            total += count
            room -= count
            guard room >= 0, total <= largestEntry else {
                throw HikeErrors.archive(
                    "\(name): the entry `\(path)` unpacks to more than its archive allows (ZIP bomb)",
                    at: .parameter("files"))
            }
            try file.write(contentsOf: Data(buffer[..<count]))
        }
    }

    private mutating func unpackingFolder() throws -> URL {
        if let folder { return folder }
        var template = Array((NSTemporaryDirectory() + "/rutter-hikes-XXXXXX").utf8CString)
        guard let made = mkdtemp(&template) else {
            throw CommonErrors.fileAccess("not enough space for temporary files")
        }
        let url = URL(fileURLWithPath: String(cString: made), isDirectory: true)
        folder = url
        return url
    }
}
