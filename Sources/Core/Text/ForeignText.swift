import Foundation

extension String {
    /// The text in an array of C, up to its first zero or its end.
    package init(cArray: some Any) {
        self = withUnsafeBytes(of: cArray) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// With percent signs and two hexadecimal digits for each byte but the letters and digits of ASCII, `-._~` (RFC 3986,
    /// "Unreserved Characters"), and those that are kept.
    package func percentEncoded(keeping kept: String = "") -> String {
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        return addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: plain + kept)) ?? ""
    }
}
