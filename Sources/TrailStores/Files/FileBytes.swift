import Foundation

/// Reads bytes of a regular file at any offset, without a lock and without blocking on a pipe or device.
package final class FileBytes: Sendable {
    private let descriptor: Int32

    /// Opens a regular file for reading; `nil` if there is none, or it cannot be read.
    package init?(_ url: URL) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The current size of the file.
    package var size: Int {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
    }

    /// Up to `count` bytes from an offset; fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }
}

extension [UInt8] {
    /// A big-endian number of up to seven bytes; 0 past the end.
    package func number(at index: Int, bytes: Int) -> Int {
        guard index >= 0, index + bytes <= count else { return 0 }
        return self[index..<index + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The same in little-endian order.
    package func littleNumber(at index: Int, bytes: Int) -> Int {
        guard index >= 0, index + bytes <= count else { return 0 }
        return self[index..<index + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
