import CArchive
import Foundation
import PluginKit

/// A ZIP archive with the tables of a feed. Nothing is ever unpacked to the disk.
struct ZipArchive {
    /// A table in the archive.
    struct Entry {
        /// The whole path in the archive.
        let path: String
        /// Bytes as it says; -1 where it does not.
        let size: Int64
    }

    let url: URL
    /// The files in the archive, in its order.
    let entries: [Entry]
    /// Bytes of the archive itself.
    private let packedSize: Int

    /// Looks through an archive; throws when anything in it is not what a feed has.
    init(_ url: URL) throws {
        self.url = url
        var info = stat()
        guard stat(url.path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(url.lastPathComponent) is no regular file")
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
                    "\(url.lastPathComponent): the entry `\(file.path)` would unpack to \(file.size) bytes: a bomb"
                )
            }
            found.append(file)
        }
        entries = found
    }

    /// A file of the archive; `nil` for a folder. Throws for what leads out of the archive.
    private static func checked(_ entry: OpaquePointer, in url: URL) throws -> Entry? {
        let archive = url.lastPathComponent
        // A name that no one can read is not that of a table.
        guard let path = ArchiveReader.path(of: entry) else { return nil }
        func refused(_ why: String) -> RutterError {
            TransitErrors.archive("\(archive): the entry `\(path)` \(why)")
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        if path.hasPrefix("/") || path.contains("\\") || parts.contains("..") {
            throw refused("has a path that leads out of the archive")
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
        guard let made = archive_read_new() else { throw CommonErrors.fileAccess("there is no memory left") }
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

    /// The path of an entry, whatever the locale; `nil` where it is no text.
    static func path(of entry: OpaquePointer) -> String? {
        guard let name = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) else {
            return nil
        }
        return String(validatingCString: name)
    }

    func failure() -> RutterError {
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "it cannot be read"
        return TransitErrors.archive("\(name) is no sound ZIP archive: \(reason)")
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
        throw TransitErrors.archive("\(reader.name): the entry `\(path)` cannot be found again")
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
        // The whole archive is packed at least as large as its entry, so this never refuses too early.
        if total > TransitSettings.ratioFreeSize,
            Double(total) > Double(packedSize) * TransitSettings.largestRatio
        {
            throw TransitErrors.archive(
                "\(name) unpacks to more than \(Int(TransitSettings.largestRatio)) times its size: a bomb")
        }
        return count
    }
}
