import CCrypto
import Foundation

extension BlobReference {
    /// A blob of which only the size is known.
    init(ofSize size: Int64) { self.init(high: 0, low: 0, size: size) }

    /// The name of some bytes.
    package init(_ bytes: Data) {
        var digest = [UInt8](repeating: 0, count: 32)
        bytes.withUnsafeBytes { content in
            _ = EVP_Digest(content.baseAddress, content.count, &digest, nil, EVP_sha256(), nil)
        }
        func word(_ start: Int) -> UInt64 { digest[start..<(start + 8)].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(0), low: word(8), size: Int64(bytes.count))
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
        guard parts.count == 2, parts[0].count == 32, let size = Int64(parts[1]),
            let high = UInt64(parts[0].prefix(16), radix: 16),
            let low = UInt64(parts[0].suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low, size: size)
    }
}
