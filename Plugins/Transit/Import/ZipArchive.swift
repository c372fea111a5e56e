import CArchive
import Foundation
import PluginKit

/// A ZIP archive with the tables of a feed. Nothing is unpacked to disk.
struct ZipArchive {
    /// A table in the archive.
    struct Entry {
        /// The whole path in the archive.
        let path: String
        /// Declared size in bytes; −1 if unknown.
        let size: Int64
    }

    let url: URL
    /// The files in the archive, in its order.
    let entries: [Entry]
    /// Size of the archive in bytes.
    private let packedSize: Int

    /// Opens an archive and checks its entries. Throws `E-GTFS-ARCHIVE` for entries that a feed cannot have.
    init(_ url: URL) throws {
        self.url = url
        var info = stat()
        guard stat(url.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is not a regular file")
        }
        packedSize = Int(info.st_size)
        let reader = try ArchiveReader(url)
        var found: [Entry] = []
        var count = 0
        while let entry = try reader.nextEntry() {
            try Interruption.check()
            count += 1
            guard count <= TransitSettings.mostEntries else {
                throw TransitErrors.archive(
                    "\(url.lastPathComponent) has more than \(TransitSettings.mostEntries) entries")
            }
            guard let file = try Self.checked(entry, in: url) else { continue }
            if file.size > TransitSettings.ratioFreeSize,
                Double(file.size) > Double(packedSize) * TransitSettings.largestRatio
            {
                throw TransitErrors.archive(
                    "\(url.lastPathComponent): the entry `\(file.path)` would unpack to \(file.size) bytes (ZIP bomb)"
                )
            }
            found.append(file)
        }
        entries = found
    }

    /// A file of the archive; `nil` for a folder. Throws for a path that leads outside the archive.
    private static func checked(_ entry: OpaquePointer, in url: URL) throws -> Entry? {
        let archive = url.lastPathComponent
        // A name that cannot be decoded is not a table's.
        guard let path = ArchiveReader.path(of: entry) else { return nil }
        func refused(_ why: String) -> RutterError {
            TransitErrors.archive("\(archive): the entry `\(path)` \(why)")
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.hasPrefix("/") || path.contains("\\") || parts.contains("..") {
            throw refused("has a path that leads outside the archive")
        }
        if path.utf8.contains(where: { $0 < 0x20 }) { throw refused("has control characters in its name") }
        let type = UInt32(archive_entry_filetype(entry)) & 0o170000
        if type == 0o040000 || path.hasSuffix("/") { return nil }
        guard type == 0o100000 || type == 0 else { throw refused("is a link or a device, not a file") }
        guard archive_entry_is_encrypted(entry) == 0 else { throw refused("is encrypted") }
        let size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : -1
        guard size <= TransitSettings.largestTable else {
            throw refused("would unpack to \(size) bytes")
        }
        return Entry(path: path, size: size)
    }

    /// The bytes of a file of the archive.
    func open(_ path: String) throws -> any ByteSource {
        try ZipEntryBytes(url, path: path, packedSize: packedSize)
    }
}

/// libarchive's reader of one ZIP file.
final class ArchiveReader {
    let handle: OpaquePointer
    let name: String

    init(_ url: URL) throws {
        name = url.lastPathComponent
        try NativeLibrary.archive.require()
        guard let made = archive_read_new() else { throw CommonErrors.fileAccess("out of memory") }
        handle = made
        archive_read_support_format_zip_seekable(handle)
        guard archive_read_open_filename(handle, url.path, 1 << 16) == ARCHIVE_OK else {
            throw failure()
        }
    }

    deinit { archive_read_free(handle) }

    /// The next entry; `nil` at the end.
    func nextEntry() throws -> OpaquePointer? {
        var entry: OpaquePointer?
        let code = archive_read_next_header(handle, &entry)
        if code == ARCHIVE_EOF { return nil }
        guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let entry else { throw failure() }
        return entry
    }

    /// The path of an entry, whatever the locale; `nil` if it cannot be decoded.
    static func path(of entry: OpaquePointer) -> String? {
        guard let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else {
            return nil
        }
        return String(validatingCString: name)
    }

    func failure() -> RutterError {
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "it cannot be read"
        return TransitErrors.archive("\(name) is not a valid ZIP archive: \(reason)")
    }
}

/// The bytes of one file of an archive, with limits on size and ratio.
final class ZipEntryBytes: ByteSource {
    private let reader: ArchiveReader
    private let path: String
    private let packedSize: Int
    private var total = 0

    init(_ url: URL, path: String, packedSize: Int) throws {
        reader = try ArchiveReader(url)
        self.path = path
        self.packedSize = packedSize
        while let entry = try reader.nextEntry() {
            if ArchiveReader.path(of: entry) == path { return }
        }
        throw TransitErrors.archive("\(reader.name): the entry `\(path)` disappeared during the import")
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = archive_read_data(reader.handle, buffer.baseAddress, buffer.count)
        guard count >= 0 else { throw reader.failure() }
        total += count
        let name = "\(reader.name): the entry `\(path)`"
        guard total <= TransitSettings.largestTable else {
            throw TransitErrors.archive(
                "\(name) unpacks to more than \(TransitSettings.largestTable >> 30) GiB")
        }
        // The archive is at least as large as its packed entry, so this never refuses too early.
        if total > TransitSettings.ratioFreeSize,
            Double(total) > Double(packedSize) * TransitSettings.largestRatio
        {
            throw TransitErrors.archive(
                "\(name) unpacks to more than \(Int(TransitSettings.largestRatio)) times its size (ZIP bomb)")
        }
        return count
    }
}
