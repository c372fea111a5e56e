import CCrypto
import Foundation

/// SHA-256 by libcrypto.
package enum Digest {
    /// The hash of bytes, in lower-case hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String? {
        sha256 { update in update(bytes) }
    }

    /// Bytes of a file that are read at a time.
    private static let piece = 256 << 10

    /// The hash of a file, read in pieces, before each of which `check` is called.
    package static func sha256(contentsOf file: URL, check: () throws -> Void = {}) throws -> String? {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var buffer = [UInt8](repeating: 0, count: piece)
        let stream = Stream()
        while true {
            try check()
            let count = read(handle.fileDescriptor, &buffer, piece)
            if count == 0 { return stream.finish() }
            if count > 0 {
                buffer.withUnsafeBytes { stream.add($0[..<count]) }
            } else if errno != EINTR {
                throw CommonErrors.fileAccess("\(file.lastPathComponent) cannot be read")
            }
        }
    }

    /// The hash of the chunks passed by `feed`; `nil` if the library fails.
    package static func sha256(_ feed: ((([UInt8]) -> Void)) throws -> Void) rethrows -> String? {
        let stream = Stream()
        try feed { stream.add($0) }
        return stream.finish()
    }

    /// Incremental SHA-256.
    package final class Stream {
        private let context = EVP_MD_CTX_new()
        private var isFine: Bool

        package init() { isFine = context != nil && EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 }

        deinit { EVP_MD_CTX_free(context) }

        package func add(_ bytes: [UInt8]) {
            isFine = isFine && EVP_DigestUpdate(context, bytes, bytes.count) == 1
        }

        package func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
            let whole = UnsafeRawBufferPointer(rebasing: bytes)
            isFine = isFine && EVP_DigestUpdate(context, whole.baseAddress, whole.count) == 1
        }

        /// The hash, once, in lower-case hexadecimal; `nil` where the library fails.
        package func finish() -> String? {
            var hash = Array(repeating: UInt8(0), count: 32)
            guard isFine, EVP_DigestFinal_ex(context, &hash, nil) == 1 else { return nil }
            return Digest.hexadecimal(hash)
        }
    }
}

extension Digest {
    /// HMAC-SHA256 of bytes (RFC 2104), in lower-case hexadecimal; `nil` where the library fails.
    package static func hmacSHA256(_ bytes: [UInt8], key: [UInt8]) -> String? {
        var hash = Array(repeating: UInt8(0), count: 32)
        guard HMAC(EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &hash, nil) != nil
        else {
            return nil
        }
        return hexadecimal(hash)
    }

    private static let digits = Array("0123456789abcdef".utf8)

    fileprivate static func hexadecimal(_ hash: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * hash.count)
        for byte in hash {
            text.append(digits[Int(byte / 16)])
            text.append(digits[Int(byte % 16)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
