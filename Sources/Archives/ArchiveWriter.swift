import CArchive
import Core
import Foundation

/// Writes ZIP archives whose entries all have one time, so that equal files are equal archives.
public enum ArchiveWriter {
    /// The bytes of an archive of the files of a folder; `modified` is in seconds since 1970. Throws `E-FILE-ACCESS` or
    /// `E-LIBRARY-MISSING`.
    public static func zip(_ folder: URL, files: [String], modified: Int) throws -> Data {
        try NativeLibrary.archive.require()
        let temporary = folder.appendingPathComponent(".archive.zip")
        defer { FileManager.default.discard(temporary) }
        guard let archive = archive_write_new() else { throw CommonErrors.fileAccess("out of memory") }
        defer { archive_write_free(archive) }
        try check(archive, archive_write_set_format_zip(archive))
        try check(archive, archive_write_open_filename(archive, temporary.path))
        for file in files {
            guard let bytes = FileManager.default.contents(atPath: folder.appendingPathComponent(file).path)
            else { throw CommonErrors.fileAccess("\(file) cannot be read") }
            try ArchiveLocale.using { try add(file, bytes, modified, to: archive) }
        }
        try check(archive, archive_write_close(archive))
        guard let data = FileManager.default.contents(atPath: temporary.path) else {
            throw CommonErrors.fileAccess("the archive cannot be read back")
        }
        return data
    }

    private static func add(_ path: String, _ bytes: Data, _ modified: Int, to archive: OpaquePointer) throws
    {
        guard let entry = archive_entry_new() else { throw CommonErrors.fileAccess("out of memory") }
        defer { archive_entry_free(entry) }
        archive_entry_set_pathname_utf8(entry, path)
        archive_entry_set_size(entry, Int64(bytes.count))
        archive_entry_set_filetype(entry, 0o100000)
        archive_entry_set_perm(entry, 0o644)
        archive_entry_set_mtime(entry, modified, 0)
        try check(archive, archive_write_header(archive, entry))
        let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
        if written != bytes.count { try check(archive, ARCHIVE_FATAL) }
    }

    private static func check(_ archive: OpaquePointer, _ code: Int32) throws(RutterError) {
        guard code == ARCHIVE_OK else {
            let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
            throw CommonErrors.fileAccess("the archive cannot be written: \(reason)")
        }
    }
}
