import Foundation

/// The encoding of a text: UTF-8, UTF-16 and UTF-32 by their marks or by their zero bytes, or Windows-1252 where
/// nothing in it can be UTF-8.
package enum DataEncoding: Sendable {
    case utf8
    case utf16
    /// UTF-16 or UTF-32 without a mark, or UTF-32.
    case wide(WideText)
    case windows1252

    /// The encoding by the first bytes. A text that holds characters of UTF-8 and bytes that are none is damaged UTF-8, not
    /// Windows-1252.
    package init(head: [UInt8], isWhole: Bool) {
        if let wide = WideText(head: head) {
            self = .wide(wide)
            return
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            self = .utf16
            return
        }
        var start = head[...]
        // A character may be cut off by the end of the sample.
        if !isWhole { start = start.prefix { $0 != 0 }.dropLast(4) }
        let bytes = Array(start)
        guard let fault = UTF8Check.firstInvalid(bytes), !Self.hasCharacters(bytes[..<fault]),
            !bytes.contains(where: { Self.undefined.contains($0) })
        else {
            self = .utf8
            return
        }
        // Characters of UTF-8 after the fault speak against Windows-1252, too.
        self = Self.hasCharacters(bytes[fault...]) ? .utf8 : .windows1252
    }

    /// Whether each character has two or four bytes.
    var isWide: Bool {
        switch self {
        case .utf16, .wide: true
        case .utf8, .windows1252: false
        }
    }

    /// The text as UTF-8; `nil` if it cannot be.
    package func converted(_ bytes: [UInt8]) -> [UInt8]? {
        let encoding: String.Encoding
        switch self {
        case .utf8: return bytes
        case .utf16: encoding = .utf16
        case .wide(let wide): encoding = wide.encoding
        case .windows1252: encoding = .windowsCP1252
        }
        return String(data: Data(bytes), encoding: encoding).map { Array($0.utf8) }
    }

    /// What a reader should know of it.
    package var note: String? {
        switch self {
        case .utf8, .utf16: nil
        case .wide(let wide): "read as \(wide.rawValue), by its zero bytes"
        case .windows1252: "read as Windows-1252, since it is not UTF-8"
        }
    }

    /// Bytes without a character in Windows-1252.
    private static let undefined: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    /// Whether there is a character of two or more bytes in UTF-8.
    private static func hasCharacters(_ bytes: ArraySlice<UInt8>) -> Bool {
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] >= 0xC2, index + 1 < bytes.endIndex, (0x80...0xBF).contains(bytes[index + 1]) {
                return true
            }
            index += 1
        }
        return false
    }
}
