import Foundation
import PluginKit

/// The bytes of a table, in order.
protocol ByteSource: AnyObject {
    /// Fills a buffer from its beginning; returns the number of bytes, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// Bytes in memory.
final class MemoryBytes: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    init(bytes: [UInt8]) { self.bytes = bytes }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, bytes.count - position)
        buffer.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}

/// The bytes of a file.
final class FeedFileBytes: ByteSource {
    private let descriptor: Int32
    private let name: String
    private var total = 0

    /// Opens a regular file. Links, pipes and devices are refused: in an untrusted folder they could lead
    /// anywhere.
    init(_ url: URL) throws {
        name = url.lastPathComponent
        descriptor = open(url.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = errno
            if reason == ELOOP {
                throw TransitErrors.archive(
                    "\(name) is a symbolic link", fix: "replace the link with the file")
            }
            throw CommonErrors.fileAccess("\(name) cannot be read: \(String(cString: strerror(reason)))")
        }
        var info = stat()
        // `deinit` closes it, also after a failure.
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw CommonErrors.fileAccess("\(name) is not a regular file")
        }
    }

    deinit { close(descriptor) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                total += count
                guard total <= TransitSettings.largestTable else {
                    throw TransitErrors.archive(
                        "\(name) is larger than \(TransitSettings.largestTable >> 30) GiB")
                }
                return count
            }
            let reason = errno
            if reason == EINTR { continue }
            throw CommonErrors.fileAccess("\(name) cannot be read: \(String(cString: strerror(reason)))")
        }
    }
}
