import Core

/// The SHA-256 of a source; a long one is hashed on a separate thread while it is read. `nil` without libcrypto, and for
/// a file that cannot be read.
package struct SourceHash: ~Copyable {
    private let work: BackgroundWork<String?>?
    private var known: String?
    private var isKnown = false

    /// Minimum bytes to hash on another thread.
    private static let leastConcurrent = 4 << 20
    /// Bytes hashed at a time.
    private static let piece = 256 << 10

    /// Hashes a short source at once, and starts a thread for a long one. Throws `E-INTERRUPTED`.
    package init(of source: SourceBytes) throws {
        if source.size < Self.leastConcurrent {
            work = nil
            isKnown = true
            known = try Self.sha256(source) { try Interruption.check() }
        } else {
            work = BackgroundWork { isStopped in
                try Self.sha256(source) { if isStopped() { throw Interruption.stopped } }
            }
        }
    }

    deinit { work?.end() }

    /// Whether the hash is computed, so that `value()` returns at once.
    package var isReady: Bool { work?.hasEnded ?? true }

    /// Waits for the hash. Throws `E-INTERRUPTED`.
    package mutating func value() throws -> String? {
        // The result can be taken only once, and `nil` is a valid result.
        if !isKnown, let work {
            known = try work.result()
            isKnown = true
        }
        return known
    }

    private static func sha256(_ source: SourceBytes, check: () throws -> Void) throws -> String? {
        guard NativeLibrary.crypto.isAvailable else { return nil }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
        defer { buffer.deallocate() }
        let stream = Digest.Stream()
        var offset = 0
        while true {
            try check()
            guard let count = try? source.read(into: buffer, at: offset) else { return nil }
            if count == 0 { return stream.finish() }
            stream.add(UnsafeRawBufferPointer(buffer)[..<count])
            offset += count
        }
    }
}
