import CArchive
import CivilTime
import Foundation
import PluginKit
import TrailStores

/// The ZIP archive of a bundle.
enum BundleArchive {
    /// Types of entries, from `st_mode`.
    private static let typeMask: UInt32 = 0o170000
    private static let regularFile: UInt32 = 0o100000
    private static let directory: UInt32 = 0o040000

    /// The bytes of an archive of files, all with one time, so that equal bundles are equal archives.
    static func data(_ folder: URL, files: [String], time: Timestamp) throws -> Data {
        try NativeLibrary.archive.require()
        let temporary = folder.appendingPathComponent(".archive.zip")
        defer { FileManager.default.discard(temporary) }
        guard let archive = archive_write_new() else {
            throw CommonErrors.fileAccess("out of memory")
        }
        defer { archive_write_free(archive) }
        func check(_ code: Int32) throws {
            guard code == ARCHIVE_OK else {
                let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
                throw CommonErrors.fileAccess("the archive cannot be written: \(reason)")
            }
        }
        try check(archive_write_set_format_zip(archive))
        try check(archive_write_open_filename(archive, temporary.path))
        for file in files {
            guard let bytes = FileManager.default.contents(atPath: folder.appendingPathComponent(file).path)
            else {
                throw CommonErrors.fileAccess("\(file) cannot be read")
            }
            guard let entry = archive_entry_new() else {
                throw CommonErrors.fileAccess("out of memory")
            }
            defer { archive_entry_free(entry) }
            archive_entry_set_pathname_utf8(entry, file)
            archive_entry_set_size(entry, Int64(bytes.count))
            archive_entry_set_filetype(entry, regularFile)
            archive_entry_set_perm(entry, 0o644)
            archive_entry_set_mtime(entry, Int(time.seconds.rounded(.down)), 0)
            try check(archive_write_header(archive, entry))
            let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
            if written != bytes.count { try check(ARCHIVE_FATAL) }
        }
        try check(archive_write_close(archive))
        guard let data = FileManager.default.contents(atPath: temporary.path) else {
            throw CommonErrors.fileAccess("the archive cannot be read back")
        }
        return data
    }

    /// Unpacks a bundle into a new folder and returns its files. Throws before anything is written outside
    /// that folder.
    static func unpack(_ url: URL, into folder: URL) throws -> [String] {
        try NativeLibrary.archive.require()
        let name = url.lastPathComponent
        var info = stat()
        guard stat(url.path, &info) == 0, UInt32(info.st_mode) & typeMask == regularFile else {
            throw BundleErrors.archive("\(name) is not a regular file", at: .parameter("file"))
        }
        guard let archive = archive_read_new() else {
            throw CommonErrors.fileAccess("out of memory")
        }
        defer { archive_read_free(archive) }
        func failure(_ what: String? = nil) -> RutterError {
            let reason =
                what ?? archive_error_string(archive).map { String(cString: $0) } ?? "it cannot be read"
            return BundleErrors.archive("\(name): \(reason)", at: .parameter("file"))
        }
        archive_read_support_format_zip_seekable(archive)
        guard archive_read_open_filename(archive, url.path, 1 << 16) == ARCHIVE_OK else { throw failure() }
        var files: [String] = []
        var total = 0
        while true {
            var entry: OpaquePointer?
            let code = archive_read_next_header(archive, &entry)
            if code == ARCHIVE_EOF { break }
            guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw failure() }
            guard let path = path(of: entry) else {
                throw failure("it contains a path, link or file that is not allowed")
            }
            if path.hasSuffix("/") { continue }
            guard files.count < BundleSettings.mostFiles, !files.contains(path) else {
                throw failure("it contains too many files, or a duplicate")
            }
            let target = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            guard FileManager.default.createFile(atPath: target.path, contents: nil) else {
                throw CommonErrors.fileAccess("\(path) cannot be written")
            }
            let handle = try FileHandle(forWritingTo: target)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = archive_read_data(archive, &buffer, buffer.count)
                if count == 0 { break }
                guard count > 0 else { throw failure() }
                total += count
                guard total <= BundleSettings.largestBundle else {
                    throw failure("it exceeds the size limit when unpacked")
                }
                try handle.write(contentsOf: Data(buffer[..<count]))
            }
            files.append(path)
        }
        guard files.contains(BundleSettings.notebook) else {
            throw failure("\(BundleSettings.notebook) is missing")
        }
        return files
    }

    /// The path of a regular file, or of a folder with a trailing slash, below the folder; `nil` for anything
    /// else.
    static func path(of entry: OpaquePointer) -> String? {
        guard let raw = archive_entry_pathname(entry), archive_entry_is_encrypted(entry) == 0 else {
            return nil
        }
        let path = String(cString: raw)
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !path.isEmpty, !path.hasPrefix("/"), !path.contains("\\"), !parts.contains(".."),
            !path.utf8.contains(where: { $0 < 0x20 })
        else { return nil }
        let type = UInt32(archive_entry_filetype(entry)) & typeMask
        if type == directory || path.hasSuffix("/") { return path.hasSuffix("/") ? path : path + "/" }
        return type == regularFile || type == 0 ? path : nil
    }
}
