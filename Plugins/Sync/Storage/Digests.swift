import Core
import Foundation

extension BlobReference {
    /// A blob of which only the size is known.
    init(ofSize size: Int64) { self.init(high: 0, low: 0, size: size) }

    /// The reference of some bytes.
    package init(_ bytes: Data) {
        let stream = BlobDigest()
        stream.add(Array(bytes))
        self = stream.reference
    }

    /// The reference of bytes whose hash is given in hexadecimal digits.
    init?(digits: String, size: Int64) {
        guard let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.dropFirst(16).prefix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low, size: size)
    }

    /// Its 16 bytes and the size, as a key in databases.
    var name: String {
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return digits.joined() + "-\(size)"
    }

    init?(name: String) {
        let parts = name.split(separator: "-")
        guard parts.count == 2, parts[0].count == 32, let size = Int64(parts[1]) else { return nil }
        self.init(digits: String(parts[0]), size: size)
    }
}

/// The reference of bytes that arrive in parts.
final class BlobDigest {
    private let stream = Digest.Stream()
    private(set) var count: Int64 = 0

    func add(_ bytes: [UInt8]) {
        stream.add(bytes)
        count += Int64(bytes.count)
    }

    /// The reference, after all bytes were added; may be requested once.
    var reference: BlobReference {
        BlobReference(digits: stream.finish() ?? "", size: count) ?? BlobReference(ofSize: count)
    }
}
