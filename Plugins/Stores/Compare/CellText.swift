import PluginKit
import TrailStores

extension StoredCell {
    /// The cell as displayed: text unchanged, a blob by its size.
    var shown: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .real(let number): return Literal.number(number)
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            return text.count > CompareSettings.longestText
                ? text.prefix(CompareSettings.longestText) + "…" : text
        case .blob(let bytes): return "blob of \(bytes.count) bytes"
        }
    }

    /// The cell beside one that is displayed alike: with its storage class, or from the first byte that differs.
    func exact(beside other: StoredCell) -> String {
        switch (self, other) {
        case (.text(let bytes), .text(let others)):
            let start = Self.difference(bytes, others)
            return "text, from byte \(start + 1): " + Self.bytes(bytes.dropFirst(start))
        case (.blob(let bytes), .blob(let others)):
            let start = Self.difference(bytes, others)
            return "\(shown), from byte \(start + 1): " + Self.hex(bytes.dropFirst(start))
        case (.null, _): return "NULL"
        case (.integer(let number), _): return "integer \(number)"
        case (.real(let number), _): return "real \(number)"
        case (.text(let bytes), _): return "text " + Self.bytes(bytes[...])
        case (.blob, _): return shown
        }
    }

    private static func difference(_ one: [UInt8], _ other: [UInt8]) -> Int {
        zip(one, other).enumerated().first { $1.0 != $1.1 }?.offset ?? min(one.count, other.count)
    }

    /// A text in quotes if all its characters can be displayed, or else its bytes.
    private static func bytes(_ bytes: ArraySlice<UInt8>) -> String {
        let part = bytes.prefix(CompareSettings.longestText)
        let isPlain = part.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        guard isPlain, let text = String(validating: part, as: UTF8.self), text.allSatisfy(\.isASCII) else {
            return hex(bytes)
        }
        return "'\(text)'" + (part.count < bytes.count ? "…" : "")
    }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
        let part = bytes.prefix(CompareSettings.longestText / 4)
        let digits = part.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "x'\(digits)'" + (part.count < bytes.count ? "…" : "")
    }
}
