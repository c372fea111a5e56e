import Glibc

/// Writes whole pieces to a descriptor.
struct DescriptorWriter: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes all bytes, or reports that the reader is closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The same to a socket, without the signal that kills a process whose reader is gone.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
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
enum DescriptorReader {
    /// What there is, waiting for it; nothing at the end.
    static func read(_ descriptor: Int32) -> [UInt8]? {
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

/// Puts pieces together into lines.
struct LineBuffer {
    private var bytes: [UInt8] = []
    private var start = 0
    private var searched = 0

    /// Bytes that belong to no whole line yet, once all lines were taken.
    var count: Int { bytes.count - start }

    mutating func append(_ piece: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes += piece
    }

    /// The next whole line without its newline.
    mutating func next() -> [UInt8]? {
        guard let newline = bytes[searched...].firstIndex(of: 0x0A) else {
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
