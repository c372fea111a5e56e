import Foundation

extension String {
    /// The text in a C array, up to its first zero or its end.
    package init(cArray: some Any) {
        self = withUnsafeBytes(of: cArray) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
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
