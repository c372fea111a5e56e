import Glibc

/// Writes all bytes to a descriptor.
package struct DescriptorWriter: Sendable {
    package let descriptor: Int32

    /// A writer to a descriptor, which it does not own.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes, or reports that the reader is closed.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The same for a socket, without SIGPIPE.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Reads from a descriptor.
package enum DescriptorReader {
    /// The available bytes, blocking; empty at the end.
    package static func read(_ descriptor: Int32) -> [UInt8]? {
        while true {
            var failed = false
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                failed = got < 0
                count = max(got, 0)
            }
            if failed, errno == EINTR { continue }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

/// Assembles chunks into lines.
package struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    /// An empty buffer.
    package init() {}

    /// Bytes of the unfinished line, after all complete lines were taken.
    package var count: Int { bytes.count - start }

    package mutating func append(_ piece: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes += piece
    }

    /// The next whole line without its newline.
    package mutating func next() -> [UInt8]? {
        let found = bytes.withUnsafeBytes { bytes -> Int? in
            guard let first = bytes.baseAddress, searched < bytes.count else { return nil }
            return memchr(first + searched, 0x0A, bytes.count - searched).map { UnsafeRawPointer($0) - first }
        }
        guard let newline = found else {
            searched = bytes.count
            return nil
        }
        defer {
            start = newline + 1
            searched = start
        }
        return Array(bytes[start..<newline])
    }
}
