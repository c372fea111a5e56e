import COpenSSL
import Foundation

extension BlobReference {
    /// The name of some bytes.
    init(_ bytes: Data) {
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

extension RecordName {
    /// The name of a UUID.
    init(_ id: UUID) {
        let bytes = id.uuid
        let all = [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
            bytes.10,
            bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ]
        self.init(
            high: all[0..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: all[8...].reduce(0) { $0 << 8 | UInt64($1) })
    }

    init?(text: String) {
        guard let id = UUID(uuidString: text) else { return nil }
        self.init(id)
    }

    /// The UUID as Foundation prints it.
    var text: String {
        func digits(_ word: UInt64) -> String {
            let text = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let all = digits(high) + digits(low)
        var text = ""
        for (index, digit) in all.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        return text
    }
}
