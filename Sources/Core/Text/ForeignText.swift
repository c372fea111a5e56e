import Foundation

extension String {
    /// The text in a C array, up to its first zero or its end.
    package init(cArray: some Any) {
        self = withUnsafeBytes(of: cArray) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The words of the text with single blanks between them: without line breaks, tabs and other control characters. Empty if there
    /// are none.
    package var inOneLine: String {
        // Most texts are as they should be; no-break spaces, and what breaks lines, begin with bytes above ASCII's.
        var last = UInt8(ascii: " ")
        let isPlain = utf8.allSatisfy { byte in
            defer { last = byte }
            return (0x20..<0x7F).contains(byte) && (byte != UInt8(ascii: " ") || last != byte)
        }
        if isPlain, last != UInt8(ascii: " ") { return self }
        func parts(_ character: Character) -> Bool {
            character.isWhitespace || character.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        }
        return split(whereSeparator: parts).joined(separator: " ")
    }

    /// Percent-encodes all bytes except ASCII letters and digits, `-._~` (RFC 3986, "Unreserved Characters"),
    /// and the given exceptions.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain + kept)) ?? ""
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The text up to the last character for which a condition does not hold.
    package func trimmingSuffix(while drop: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, drop(last) { rest.removeLast() }
        return rest
    }
}
