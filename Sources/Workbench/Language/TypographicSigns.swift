import PluginKit

/// Signs that word processors, web pages and phones put in the place of the language's own: quotes, dashes, blanks. Without a word, a
/// quote would be a part of the text, and nothing would equal it.
enum TypographicSigns {
    /// Quotes that begin a text. A `’` can be an apostrophe.
    private static let quotes: Set<Unicode.Scalar> = ["“", "”", "„", "‘", "‚", "«", "»", "‹", "›"]
    private static let closing: Set<Unicode.Scalar> = ["“", "”", "‘", "’", "«", "»", "‹", "›"]
    /// Operators as they are printed, and as they are typed.
    private static let operators: [Unicode.Scalar: String] = [
        "–": "-", "—": "-", "−": "-", "×": "*", "·": "*", "÷": "/", "｜": "|", "≤": "<=", "≥": ">=", "≠": "!=",
    ]
    private static let dashes: Set<Unicode.Scalar> = ["–", "—", "−"]
    /// Blanks that are not the space bar's, and signs without a width.
    private static let blanks: [Unicode.Scalar: String] = [
        "\u{A0}": "no-break space", "\u{202F}": "narrow no-break space", "\u{2007}": "figure space",
        "\u{3000}": "ideographic space", "\u{200B}": "zero-width space", "\u{2060}": "word joiner",
        "\u{FEFF}": "byte order mark", "\u{200E}": "direction mark", "\u{200F}": "direction mark",
    ]
    private static let before: Set<Unicode.Scalar> = [
        " ", "\t", "\n", "(", "[", "{", "=", "|", ";", ":", ",", "<", ">",
    ]

    /// What is wrong in an entry outside of its own quotes and comments, with the entry as it was meant; `nil` if nothing is.
    static func fault(in entry: String) -> RutterError? {
        guard entry.utf8.contains(where: { $0 >= 0x80 }) else { return nil }
        let scalars = Array(entry.unicodeScalars)
        var (quote, isComment, isEscaped, offset): (Unicode.Scalar?, Bool, Bool, Int) = (nil, false, false, 0)
        for (index, scalar) in scalars.enumerated() {
            defer { offset += UTF8.width(scalar) }
            let last = index > 0 ? scalars[index - 1] : " "
            if isComment {
                isComment = scalar != "\n"
            } else if let open = quote {
                if scalar == open, !isEscaped { quote = nil }
                isEscaped = open == "\"" && scalar == "\\" && !isEscaped
            } else if scalar == "\"" || scalar == "'" && before.contains(last) {
                quote = scalar
            } else if scalar == "#", index == 0 || last.properties.isWhitespace {
                isComment = true
            } else if let (what, written) = sign(scalar, at: index, of: scalars) {
                let span = SourceSpan(offset, offset + UTF8.width(scalar))
                return LanguageErrors.syntax(what, at: .span(span), fix: written)
            }
        }
        return nil
    }

    /// What a sign is and what to write for it; `nil` for others.
    private static func sign(
        _ scalar: Unicode.Scalar, at index: Int, of scalars: [Unicode.Scalar]
    ) -> (what: String, fix: String)? {
        let isStart = index == 0 || before.contains(scalars[index - 1])
        let next = index + 1 < scalars.count ? scalars[index + 1] : " "
        if let name = blanks[scalar] {
            return ("a \(name) is no blank of the language", "write a space: " + meant(scalars, from: index))
        }
        guard isStart else { return nil }
        if quotes.contains(scalar) {
            return ("`\(scalar)` is a typographic quote", "write \" or ': " + meant(scalars, from: index))
        }
        if dashes.contains(scalar), next.properties.isAlphabetic {
            return ("`\(scalar)` is a typographic dash", "write --: " + meant(scalars, from: index))
        }
        guard let typed = operators[scalar], next == " " || next.properties.numericType != nil else {
            return nil
        }
        return ("`\(scalar)` is the printed sign", "write \(typed): " + meant(scalars, from: index))
    }

    /// The entry with the language's own signs from the first fault on; its texts before that keep theirs.
    private static func meant(_ scalars: [Unicode.Scalar], from fault: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[..<fault])
        for (index, scalar) in scalars.enumerated().dropFirst(fault) {
            let isStart = index == 0 || before.contains(scalars[index - 1])
            let next = index + 1 < scalars.count ? scalars[index + 1] : " "
            if let name = blanks[scalar] {
                if name.hasSuffix("space"), !name.hasPrefix("zero") { text.append(" ") }
            } else if quotes.contains(scalar) || closing.contains(scalar) && !next.properties.isAlphabetic {
                text.append("\"")
            } else if dashes.contains(scalar), isStart, next.properties.isAlphabetic {
                text.append(contentsOf: "--".unicodeScalars)
            } else if isStart, let typed = operators[scalar] {
                text.append(contentsOf: typed.unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}
