import CArchive
import Core
import Foundation

/// The bytes of a source: a regular file, opened once, or memory.
public final class SourceBytes: Sendable {
    private let descriptor: Int32
    private let memory: [UInt8]
    /// Their number; of a file, when it was opened.
    public let size: Int
    /// Its name in messages, without folders.
    public let name: String
    /// Why the rest of a compressed file could not be unpacked; `nil` if these are all its bytes.
    public let cut: String?

    /// Opens a regular file: a pipe or device could block. Throws `E-FILE-MISSING` or `E-FILE-ACCESS`.
    public convenience init(_ url: URL) throws(RutterError) { try self.init(url, flags: 0) }

    private init(_ url: URL, flags: Int32) throws(RutterError) {
        name = url.lastPathComponent
        memory = []
        cut = nil
        descriptor = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
        guard descriptor >= 0 else {
            let reason = errno
            if reason == ELOOP { throw CommonErrors.fileAccess("\(name) is a link, which is not followed") }
            throw CommonErrors.unreadable(name, reason)
        }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw CommonErrors.fileAccess("\(name) is not a regular file")
        }
        size = Int(info.st_size)
    }

    /// Opens a regular file below a folder; `nil` if it is a link or lies elsewhere, because a folder on the way is a link. What
    /// is checked is the file that was opened, so that a change of the path in between leads nowhere else. Throws as `init`.
    convenience init?(_ url: URL, in folder: URL) throws(RutterError) {
        try self.init(url, flags: O_NOFOLLOW)
        guard let root = realpath(folder.path, nil) else { return nil }
        defer { free(root) }
        guard let opened = realpath("/proc/self/fd/\(descriptor)", nil) else { return nil }
        defer { free(opened) }
        let start = String(cString: root) == "/" ? "/" : String(cString: root) + "/"
        guard String(cString: opened).hasPrefix(start) else { return nil }
    }

    /// Bytes in memory.
    public init(_ bytes: [UInt8], name: String, cut: String? = nil) {
        (descriptor, memory, size, self.name, self.cut) = (-1, bytes, bytes.count, name, cut)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Fills a buffer with bytes from an offset; returns their number, 0 at the end. Throws `E-FILE-ACCESS`.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(RutterError) -> Int {
        guard descriptor >= 0 else {
            let count = min(buffer.count, max(0, size - offset))
            memory.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count])) }
            return count
        }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else {
                throw CommonErrors.unreadable(name, errno)
            }
        }
    }

    /// Up to `count` bytes from an offset; fewer at the end. Throws `E-FILE-ACCESS`.
    public func bytes(at offset: Int, count: Int) throws(RutterError) -> [UInt8] {
        if descriptor < 0, offset == 0, count >= size { return memory }
        var failure: RutterError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            do throws(RutterError) {
                let raw = UnsafeMutableRawBufferPointer(buffer)
                while filled < buffer.count {
                    let read = try read(into: .init(rebasing: raw[filled...]), at: offset + filled)
                    if read == 0 { break }
                    filled += read
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// All bytes. Throws `E-FILE-ACCESS`.
    public func all() throws(RutterError) -> [UInt8] { try bytes(at: 0, count: size) }

    /// The same source in memory if it is not large, so that its bytes are read from disk once.
    public func loaded() throws(RutterError) -> SourceBytes {
        guard descriptor >= 0, size <= Self.largestLoaded else { return self }
        return SourceBytes(try all(), name: name)
    }

    /// Maximum bytes of a file that is kept in memory as a whole.
    static let largestLoaded = 16 << 20

    /// Passes the bytes to libarchive, which reads them until it is closed. Memory is copied, so that its address is
    /// stable.
    func open(_ archive: OpaquePointer, copy: inout UnsafeMutableRawBufferPointer?) -> Int32 {
        guard descriptor < 0 else {
            lseek(descriptor, 0, SEEK_SET)
            return archive_read_open_fd(archive, descriptor, 1 << 16)
        }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, size), alignment: 16)
        bytes.copyBytes(from: memory)
        copy = bytes
        return archive_read_open_memory(archive, bytes.baseAddress, size)
    }
}

extension SourceBytes {
    /// Kinds of files that hold others.
    enum Container {
        case zip
        /// A compression around a single file or a tar.
        case compressed
        case tar

        /// What a reader of it accepts.
        var formats: ArchiveFormats {
            switch self {
            case .zip: .zip
            case .tar: .tar
            case .compressed: [.compressed, .tar, .single]
            }
        }
    }

    /// What they begin as, if they hold other files.
    func container() throws(RutterError) -> Container? {
        let head = try bytes(at: 0, count: 264)
        if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) { return .zip }
        if Self.isCompressed(head) { return .compressed }
        return head.dropFirst(257).starts(with: Array("ustar".utf8)) ? .tar : nil
    }

    /// Whether a file begins as one that is compressed as a whole.
    public static func isCompressed(_ head: [UInt8]) -> Bool {
        compressions.contains { head.starts(with: $0) }
    }

    /// The first bytes of gzip (RFC 1952), bzip2, xz and zstd (RFC 8878).
    private static let compressions: [[UInt8]] = [
        [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], [0x28, 0xB5, 0x2F, 0xFD],
    ]

    /// Whether they are a ZIP archive that is one document or program by its first entry (office documents, books, Java and
    /// Android programs), not a collection of files.
    func isDocument() throws(RutterError) -> Bool {
        let head = try bytes(at: 0, count: 128)
        guard head.starts(with: [0x50, 0x4B, 3, 4]), head.count > 30 else { return false }
        // The length of the name and the name, by APPNOTE 4.3.7.
        let length = Int(head[26]) | Int(head[27]) << 8
        let name = String(decoding: head[30...].prefix(length), as: UTF8.self)
        return Self.documents.contains { name.hasPrefix($0) }
    }

    private static let documents = [
        "mimetype", "[Content_Types].xml", "_rels/", "META-INF/", "AndroidManifest.xml",
    ]

    /// Whether they begin as ZIP, but have no end record, which is within the last 64 KB (APPNOTE 4.3.16).
    public var isCutZip: Bool {
        guard (try? container()) == .zip else { return false }
        let start = max(0, size - 65_557)
        guard let tail = try? bytes(at: start, count: size - start) else { return false }
        return !tail.indices.dropLast(3).contains { index in
            tail[index] == 0x50 && tail[index + 1] == 0x4B && tail[index + 2] == 5 && tail[index + 3] == 6
        }
    }
}

/// The locale in which libarchive converts names: without one of UTF-8, names outside ASCII are lost.
enum ArchiveLocale {
    nonisolated(unsafe) private static let utf8 = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

    /// Runs libarchive's code in a locale of UTF-8, on this thread only.
    static func using<T>(_ body: () throws -> T) rethrows -> T {
        guard let utf8 else { return try body() }
        let before = uselocale(utf8)
        defer { uselocale(before) }
        return try body()
    }
}
