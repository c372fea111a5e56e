import Foundation

/// Text whose bytes of UTF-8 a program took for Windows-1252 and wrote as UTF-8 again (`ZÃ¼rich`).
public enum TwiceEncodedText {
    /// The first letters of such text: what begins a letter beyond ASCII in UTF-8, read as Windows-1252.
    private static let firsts: Set<Character> = ["Â", "Ã", "â", "Ð", "Ñ"]

    /// What a word was; `nil` for a word that is as it should be. The bytes of a word of other letters are no UTF-8, but for very rare
    /// pairs of signs.
    public static func original(_ word: Substring) -> String? {
        guard word.contains(where: firsts.contains), let bytes = String(word).data(using: .windowsCP1252),
            let text = String(validating: bytes, as: UTF8.self), text.count < word.count
        else { return nil }
        return text
    }
}
