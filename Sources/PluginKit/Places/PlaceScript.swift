import Foundation

/// Names in other scripts than Latin, and letters that only look Latin.
enum PlaceScript {
    /// A text in Latin letters, by ICU's `Any-Latin`; `nil` where it is in Latin letters already or has no letter.
    static func latin(_ text: String) -> String? {
        guard text.unicodeScalars.contains(where: { !isLatin($0) && $0.properties.isAlphabetic }),
            let latin = text.applyingTransform(.toLatin, reverse: false), latin != text
        else { return nil }
        return latin
    }

    /// The text with Cyrillic and Greek letters that look like Latin ones replaced by them, in words that have Latin letters
    /// too: such words are typing mistakes. `nil` if there is no such word.
    static func unmixed(_ text: String) -> String? {
        var changed = false
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word -> String in
            guard word.unicodeScalars.contains(where: { lookalikes[$0] != nil }),
                word.unicodeScalars.contains(where: { isLatin($0) && $0.properties.isAlphabetic })
            else { return String(word) }
            changed = true
            var result = String.UnicodeScalarView()
            for scalar in word.unicodeScalars { result.append(lookalikes[scalar] ?? scalar) }
            return String(result)
        }
        return changed ? words.joined(separator: " ") : nil
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        // Basic Latin to Latin Extended-B with IPA and modifiers, combining marks, Latin Extended Additional.
        scalar.value < 0x370 || (0x1E00...0x1EFF).contains(scalar.value)
            || (0x2C60...0x2C7F).contains(scalar.value) || (0xA720...0xA7FF).contains(scalar.value)
            || (0xFB00...0xFB06).contains(scalar.value) || (0xFF00...0xFF5E).contains(scalar.value)
    }

    /// Unicode's confusables of the two alphabets that a keyboard switches to by accident (UTS #39, single letters).
    private static let lookalikes: [Unicode.Scalar: Unicode.Scalar] = [
        "а": "a", "А": "A", "В": "B", "с": "c", "С": "C", "ԁ": "d", "е": "e", "Е": "E", "һ": "h", "Н": "H",
        "і": "i", "І": "I", "ј": "j", "Ј": "J", "К": "K", "к": "k", "ⅼ": "l", "М": "M", "о": "o", "О": "O",
        "р": "p", "Р": "P", "ԛ": "q", "ѕ": "s", "Ѕ": "S", "Т": "T", "у": "y", "У": "Y", "х": "x", "Х": "X",
        "ѵ": "v", "ԝ": "w", "Α": "A", "Β": "B", "Ε": "E", "Ζ": "Z", "Η": "H", "Ι": "I", "Κ": "K", "Μ": "M",
        "Ν": "N", "Ο": "O", "ο": "o", "Ρ": "P", "Τ": "T", "Υ": "Y", "Χ": "X", "α": "a", "ν": "v", "ι": "i",
    ]
}

extension PlaceWords {
    /// The folded forms by which a name is found: as it is written, in Latin letters, and by its consonants.
    public static func forms(of name: String) -> [[UInt8]] {
        let plain = fold(name)
        guard let latin = PlaceScript.latin(name) else { return plain.isEmpty ? [] : [plain] }
        let other = fold(latin)
        return [plain, other, ConsonantSkeleton.form(of: name) ?? []].filter { !$0.isEmpty }
    }
}
