import CArchive
import Core
import Foundation

/// Formats that a reader of archives accepts.
public struct ArchiveFormats: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// A set of formats.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// ZIP.
    public static let zip = ArchiveFormats(rawValue: 1)
    /// tar.
    public static let tar = ArchiveFormats(rawValue: 2)
    /// Compression by gzip, bzip2, xz or zstd around any of the others.
    public static let compressed = ArchiveFormats(rawValue: 4)
    /// A single file that is no archive, which counts as an archive with one entry.
    public static let single = ArchiveFormats(rawValue: 8)
}

/// Reads the files of an archive in order, through libarchive, within limits. Nothing is written to disk.
///
/// Folders and the files of `SystemFiles` are skipped.
public final class ArchiveReader {
    private let handle: OpaquePointer
    private let source: SourceBytes
    private var copy: UnsafeMutableRawBufferPointer?
    private let formats: ArchiveFormats
    /// Whether it is a ZIP archive without its directory, which is read from its start.
    let isCutZip: Bool
    private let limits: ArchiveLimits
    private let check: () throws -> Void
    private var entry: ArchiveEntry?
    private var seen: Set<String> = []
    private var count = 0
    /// Bytes that may still be unpacked.
    private var room: Int
    private var entryRoom = 0

    /// Opens an archive. `check` is called between pieces. With `isCut` a ZIP archive is read from its start, without the
    /// directory that its end would have. With `isJoined` a tar archive goes on behind blocks of zeros: archives that were put
    /// together have them, and backups of phones. Throws `E-ARCHIVE-FORMAT` or `E-LIBRARY-MISSING`.
    public init(
        _ source: SourceBytes, as formats: ArchiveFormats = .zip, limits: ArchiveLimits = .standard,
        isCut: Bool = false, isJoined: Bool = false,
        check: @escaping () throws -> Void = { try Interruption.check() }
    ) throws {
        try NativeLibrary.archive.require()
        guard let made = archive_read_new() else { throw CommonErrors.fileAccess("out of memory") }
        handle = made
        (self.source, self.formats, self.limits, self.check) = (source, formats, limits, check)
        room = limits.room(packedSize: source.size)
        isCutZip = isCut
        if formats.contains(.zip) {
            _ =
                isCut
                ? archive_read_support_format_zip_streamable(handle)
                : archive_read_support_format_zip_seekable(handle)
        }
        if formats.contains(.tar) {
            archive_read_support_format_tar(handle)
            if isJoined { _ = archive_read_set_options(handle, "tar:read_concatenated_archives") }
        }
        if formats.contains(.compressed) {
            archive_read_support_filter_gzip(handle)
            archive_read_support_filter_bzip2(handle)
            archive_read_support_filter_xz(handle)
            archive_read_support_filter_zstd(handle)
        }
        if formats.contains(.single) {
            archive_read_support_format_raw(handle)
            archive_read_support_format_empty(handle)
        }
        guard source.open(handle, copy: &copy) == ARCHIVE_OK else { throw failure() }
    }

    deinit {
        archive_read_free(handle)
        copy?.deallocate()
    }

    /// Its name in messages.
    public var name: String { source.name }

    /// The next file, with its fault if it must not be read; `nil` at the end. Throws `E-ARCHIVE-FORMAT` or
    /// `E-ARCHIVE-LIMIT`.
    public func next() throws -> ArchiveEntry? {
        entry = nil
        while true {
            try check()
            guard let (found, isFolder) = try ArchiveLocale.using({ try header() }) else { return nil }
            count += 1
            guard count <= limits.entries else {
                throw ArchiveErrors.limit("\(name) has more than \(limits.entries) entries")
            }
            if isFolder && found.fault == nil || SystemFiles.contains(found.path) { continue }
            entry = found
            entryRoom = limits.entryBytes
            return found
        }
    }

    /// Whether the current entry is a file that is no archive.
    public var isSingle: Bool { archive_format(handle) == ARCHIVE_FORMAT_RAW }

    /// Reads the header of the next entry.
    private func header() throws -> (ArchiveEntry, isFolder: Bool)? {
        var next: OpaquePointer?
        let code = archive_read_next_header(handle, &next)
        if code == ARCHIVE_EOF { return nil }
        guard code == ARCHIVE_OK || code == ARCHIVE_WARN, let next else { throw failure() }
        // An archive of a single file names it `data`.
        let path =
            isSingle
            ? nameWithoutSuffix
            : (archive_entry_pathname(next) ?? archive_entry_pathname_utf8(next)).map(ArchiveName.decoded)
                ?? ""
        let size = archive_entry_size_is_set(next) != 0 ? Int(archive_entry_size(next)) : nil
        let isFolder = ArchiveEntry.isFolder(next, path)
        var fault = ArchiveEntry.fault(next, path)
        if fault == nil, !isFolder, !seen.insert(path).inserted { fault = .repeated }
        if fault == nil, let size, size > min(room, limits.entryBytes) { fault = .tooLarge(size) }
        return (
            ArchiveEntry(
                archive: name, path: path, size: size,
                modified: archive_entry_mtime_is_set(next) != 0 ? Int(archive_entry_mtime(next)) : nil,
                fault: fault), isFolder
        )
    }

    private var nameWithoutSuffix: String { Self.withoutSuffix(name) }

    private static func withoutSuffix(_ name: String) -> String {
        let path = name as NSString
        return SourceWalk.compressions.contains(path.pathExtension.lowercased())
            ? path.deletingPathExtension : name
    }

    /// Fills a buffer with bytes of the current file; returns their number, 0 at its end. Throws
    /// `E-ARCHIVE-ENTRY` for a file with a fault, `E-ARCHIVE-FORMAT` or `E-ARCHIVE-LIMIT`.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let entry else { return 0 }
        try entry.require()
        try check()
        let read = archive_read_data(handle, buffer.baseAddress, buffer.count)
        guard read >= 0 else { throw failure() }
        room -= read
        entryRoom -= read
        guard room >= 0, entryRoom >= 0 else {
            throw ArchiveErrors.limit(
                "\(name): the entry `\(entry.path)` unpacks to more than its archive allows (ZIP bomb)",
                at: .file(path: entry.name, line: nil, column: nil))
        }
        return read
    }

    /// The bytes of the current file; no more than `limit` and one, so that a longer file is recognised by it. With `keepsCut`, those
    /// before the damage of a file that is compressed by itself, which `cut` then names.
    public func bytes(limit: Int = .max, keepsCut: Bool = false) throws -> [UInt8] {
        let most = limit == .max ? Int.max : limit + 1
        var all: [UInt8] = []
        all.reserveCapacity(min(entry?.size ?? 0, most, limits.entryBytes))
        while all.count < most {
            let piece = min(Self.piece, most - all.count)
            var failed: (any Error)?
            let part = [UInt8](unsafeUninitializedCapacity: piece) { buffer, filled in
                do {
                    filled = try read(into: UnsafeMutableRawBufferPointer(buffer))
                } catch {
                    failed = error
                }
            }
            if let failed {
                // What is whole before the damage is used, as of a file that is not compressed.
                guard keepsCut, isSingle, !all.isEmpty, let error = failed as? RutterError,
                    error.code == ArchiveErrors.format.code
                else { throw failed }
                cut = error.message
                break
            }
            if part.isEmpty { break }
            all += part
        }
        return all
    }

    /// Why the rest of a file that is compressed by itself could not be unpacked; what came before it was returned.
    public private(set) var cut: String?

    /// What can be unpacked of a file that is compressed by itself, small, and cut or damaged by an error of its first entry; `nil` for
    /// anything else.
    func salvaged(from error: RutterError) -> SourceBytes? {
        count == 0 ? Self.salvaged(source, as: formats, limits, from: error) : nil
    }

    /// The same by an error of its opening: libarchive reads the first piece there.
    static func salvaged(
        _ source: SourceBytes, as formats: ArchiveFormats, _ limits: ArchiveLimits, from error: RutterError
    ) -> SourceBytes? {
        guard formats.contains(.single), error.code == ArchiveErrors.format.code,
            source.size <= SourceBytes.largestLoaded,
            let bytes = CutGzip.bytes(
                of: source, limit: min(limits.entryBytes, limits.room(packedSize: source.size)))
        else { return nil }
        return SourceBytes(bytes, name: withoutSuffix(source.name), cut: error.message)
    }

    /// The error of an archive without its directory, whose files were read as far as they are whole.
    var cutError: RutterError { failure() }

    /// Bytes read at a time.
    static let piece = 1 << 16

    private func failure() -> RutterError {
        let place = RutterError.Place.file(path: entry?.name ?? name, line: nil, column: nil)
        if formats.contains(.zip), source.isCutZip {
            return ArchiveErrors.format(
                "\(name) is cut off: the directory at its end is missing", at: place,
                fix: "copy or download the archive again")
        }
        let reason = archive_error_string(handle).map { String(cString: $0) } ?? "it cannot be read"
        let position = archive_filter_bytes(handle, -1)
        let words = formats == .zip ? "not a valid ZIP archive" : "not a valid archive"
        let byte = position >= 0 ? ", at byte \(position)" : ""
        return ArchiveErrors.format(
            "\(name) is \(words)\(byte): \(reason)", at: place,
            fix: "copy or download it again; if it ends early there, too, unpack by hand what it has")
    }
}
