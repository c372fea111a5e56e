/// Rules for the spelling of identifiers, names and amounts of money.
enum NameRules {
    /// Whether all characters are printable ASCII.
    @inline(__always)
    static func isPrintable(_ field: FieldBytes) -> Bool { field.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// Whether a text contains the replacement character for undecodable bytes (U+FFFD).
    @inline(__always)
    static func hasReplacement(_ field: FieldBytes) -> Bool {
        guard field.contains(0xEF) else { return false }
        return String(decoding: field, as: UTF8.self).unicodeScalars.contains("\u{FFFD}")
    }

    /// Whether a display name has mixed case, by the canonical validator's definition: some word of two
    /// letters or more has both cases, unless there are fewer than two such words; a single word must not
    /// be all lower case. Text before the first letter counts as a word. A script without cases passes.
    static func hasBothCases(_ field: FieldBytes) -> Bool {
        let name = String(decoding: field, as: UTF8.self)
        var words: [Word] = []
        var isInWord = false
        for scalar in name.unicodeScalars {
            guard let kind = LetterKind(scalar) else {
                // Text that begins with a character other than a letter has an empty first word.
                if words.isEmpty { words.append(Word()) }
                isInWord = false
                continue
            }
            if !isInWord { words.append(Word()) }
            isInWord = true
            words[words.count - 1].count += 1
            if kind == .upper { words[words.count - 1].hasUpper = true }
            if kind == .lower { words[words.count - 1].hasLower = true }
            if kind != .lower { words[words.count - 1].isLower = false }
        }
        guard words.contains(where: { $0.hasUpper || $0.hasLower }) else { return true }
        if words.count == 1 { return words[0].count < 2 || !words[0].isLower }
        let long = words.filter { $0.count != 1 }
        return long.count < 2 || long.contains { $0.hasUpper && $0.hasLower }
    }

    private struct Word {
        var count = 0
        var hasUpper = false
        var hasLower = false
        var isLower = true
    }

    private enum LetterKind {
        case upper, lower, other

        /// The case of a letter; `nil` for other characters.
        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x41...0x5A: self = .upper
            case 0x61...0x7A: self = .lower
            case 0..<0x80: return nil
            default:
                switch scalar.properties.generalCategory {
                case .uppercaseLetter: self = .upper
                case .lowercaseLetter: self = .lower
                case .titlecaseLetter, .modifierLetter, .otherLetter: self = .other
                default: return nil
                }
            }
        }
    }

    /// The digits after the decimal point of a number.
    static func decimals(_ field: FieldBytes) -> Int {
        guard let point = field.firstIndex(of: UInt8(ascii: ".")) else { return 0 }
        return field.count - point - 1
    }

    /// The decimals of a currency (ISO 4217, column *minor unit*), 2 for most.
    static func decimals(ofCurrency code: String) -> Int {
        switch code {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV",
            "XAF", "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": 4
        default: 2
        }
    }
}
