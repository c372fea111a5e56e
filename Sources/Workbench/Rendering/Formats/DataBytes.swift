import Archives
import Core
import Formats
import Foundation
import PluginKit

/// The bytes of a source of data, as they were when it was opened: a variable that holds its rows is a value.
///
/// A short file, a packed one and everything that can be read only once (a pipe, standard input) are kept in memory. A long
/// file is read again at each pass; once it has changed, a pass is an error.
final class DataBytes: Sendable {
    /// The first bytes.
    let head: [UInt8]
    /// Whether there are no others.
    let isWhole: Bool
    private let file: (url: URL, state: FileState)?
    /// How lines become separated values; `nil` if they are.
    private let layout: TableLayout?

    /// Bytes in memory.
    init(_ bytes: [UInt8]) { (head, isWhole, file, layout) = (bytes, true, nil, nil) }

    /// The same lines as separated values.
    init(_ bytes: DataBytes, layout: TableLayout) {
        (head, isWhole, file, self.layout) = (bytes.head, bytes.isWhole, bytes.file, layout)
    }

    /// The bytes without the character SUB with which programs of DOS and CP/M end a text; `nil` if there is none.
    var withoutEndMark: DataBytes? {
        guard isWhole, layout == nil, head.last == 0x1A else { return nil }
        return DataBytes(Array(head[..<(head.lastIndex { $0 != 0x1A }.map { $0 + 1 } ?? 0)]))
    }

    /// A file. Throws `E-FILE-ACCESS`, or what a packed file is refused with.
    init(_ url: URL) throws {
        layout = nil
        let source = try DataFile(url)
        guard source.state.isRegular else {
            (head, isWhole, file) = (try source.rest(most: DataSettings.mostKept), true, nil)
            return
        }
        let start = try source.bytes(DataSettings.short + 1)
        if SourceBytes.isCompressed(start) {
            (head, isWhole, file) = (try Self.unpacked(url), true, nil)
            return
        }
        (head, isWhole, file) = (start, start.count <= DataSettings.short, (url, source.state))
    }

    /// The whole lines of the first bytes.
    var sample: [UInt8] {
        let lines = firstLines
        return layout?.converted(lines) ?? lines
    }

    private var firstLines: [UInt8] {
        if isWhole { return head }
        let start = head.prefix(DataSettings.sample)
        guard let end = start.lastIndex(of: UInt8(ascii: "\n")) else { return Array(start) }
        return Array(start[...end])
    }

    /// A closure that fills buffers from the beginning; it returns their number of bytes, 0 at the end. Throws
    /// `E-FILE-CHANGED`.
    func reader() throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
        let bytes = try unchanged()
        return layout?.reader(bytes) ?? bytes
    }

    private func unchanged() throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
        guard !isWhole, let file else { return CSVTokenizer.reader(of: head) }
        let source = try DataFile(file.url, knownAs: file.state)
        return { buffer in
            let count = try source.read(into: buffer)
            if count == 0 { try source.requireUnchanged(since: file.state) }
            return count
        }
    }

    /// The last line of a long file that is not blank, if it is a short one: its reader alone reads to the end.
    func lastLine() throws -> [UInt8]? {
        guard !isWhole, layout == nil, let file else { return nil }
        let end = try DataFile(file.url, knownAs: file.state).end(DataSettings.longestLastLine)
        let lines = end.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        // The first one may be cut.
        return lines.dropFirst().last { !$0.allSatisfy(CSVLine.isBlank) }.map(Array.init)
    }

    /// All bytes. Throws `E-FILE-CHANGED`, or `E-LIMIT-INPUT` for more than `most`.
    func all(most: Int = .max) throws -> [UInt8] {
        guard !isWhole, let file else { return head }
        return try DataFile(file.url, knownAs: file.state).rest(most: most)
    }

    private static func unpacked(_ url: URL) throws -> [UInt8] {
        let archive = try ArchiveReader(SourceBytes(url), as: [.compressed, .single])
        guard try archive.next() != nil else { return [] }
        var bytes: [UInt8] = []
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: DataSettings.sample, alignment: 16)
        defer { piece.deallocate() }
        while true {
            let count = try archive.read(into: piece)
            if count == 0 { return bytes }
            guard bytes.count + count <= DataSettings.mostKept else {
                throw DataErrors.tooLong(url.lastPathComponent)
            }
            bytes += piece[..<count]
        }
    }
}

/// What tells whether a file is still the one that was opened.
struct FileState: Sendable, Hashable {
    let isRegular: Bool
    private let device: UInt64
    private let number: UInt64
    fileprivate let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init(_ info: stat) {
        isRegular = info.st_mode & S_IFMT == S_IFREG
        (device, number, size) = (UInt64(info.st_dev), UInt64(info.st_ino), Int64(info.st_size))
        (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
}

/// An open file, pipe or device. Waiting for a pipe ends when the command is stopped.
final class DataFile {
    let state: FileState
    private let descriptor: Int32
    private let name: String

    /// Opens a file; with `knownAs` only if it is still the same. Throws `E-FILE-ACCESS` or `E-FILE-CHANGED`.
    init(_ url: URL, knownAs known: FileState? = nil) throws {
        name = url.lastPathComponent
        // Without waiting: opening a named pipe would block until someone writes.
        descriptor = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var info = stat()
        guard descriptor >= 0, fstat(descriptor, &info) == 0 else {
            let reason = errno
            if descriptor >= 0 { close(descriptor) }
            if known != nil { throw DataErrors.changed(name) }
            throw Self.unreadable(name, reason)
        }
        state = FileState(info)
        if info.st_mode & S_IFMT == S_IFDIR { throw Self.unreadable(name, EISDIR) }
        if let known, known != state { throw DataErrors.changed(name) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Fills a buffer; returns the number of bytes, 0 at the end. Throws `E-FILE-ACCESS` or `E-INTERRUPTED`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            try Interruption.check()
            if !state.isRegular {
                // A named pipe without a writer is not at its end: it reports that only after one has left.
                var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                if poll(&watched, 1, DataSettings.pipeWait) == 0 { continue }
            }
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else { throw Self.unreadable(name, errno) }
        }
    }

    /// Up to `most` bytes.
    func bytes(_ most: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
            while count < most {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                let read = try read(into: rest)
                if read == 0 { return }
                count += read
            }
        }
    }

    /// The last bytes of a regular file, at most `most`.
    func end(_ most: Int) throws -> [UInt8] {
        lseek(descriptor, Int(max(0, state.size - Int64(most))), SEEK_SET)
        return try bytes(most)
    }

    /// All bytes up to the end. Throws `E-LIMIT-INPUT` for more than `most`.
    func rest(most: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try self.bytes(DataSettings.sample)
            if next.isEmpty { return bytes }
            guard bytes.count + next.count <= most else { throw DataErrors.tooLong(name) }
            bytes += next
        }
    }

    /// Throws `E-FILE-CHANGED` if the file was changed in place while it was read.
    func requireUnchanged(since known: FileState) throws(RutterError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0, FileState(info) == known else { throw DataErrors.changed(name) }
    }

    private static func unreadable(_ name: String, _ reason: Int32) -> RutterError {
        CommonErrors.fileAccess("\(name) cannot be read: \(String(cString: strerror(reason)).lowercased())")
    }
}
