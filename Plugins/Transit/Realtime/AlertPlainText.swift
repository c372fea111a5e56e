import Formats

/// Texts of producers that write HTML where the format has plain text.
enum AlertPlainText {
    /// The text without tags, with the characters that entities stand for. Paragraphs and breaks are lines. A text without
    /// a tag or an entity stays as it is: `A < B & C`.
    static func withoutMarkup(_ text: String) -> String {
        guard text.contains("<") || text.contains("&") else { return text }
        var plain = ""
        var rest = text[...]
        var isChanged = false
        while let next = rest.first {
            if next == "<", let (name, end) = tag(rest) {
                isChanged = true
                if breaking.contains(name), !plain.isEmpty, plain.last?.isNewline == false { plain += "\n" }
                rest = rest[end...]
            } else if next == "&", let (character, end) = entity(rest) {
                isChanged = true
                plain.append(character)
                rest = rest[end...]
            } else {
                plain.append(next)
                rest = rest.dropFirst()
            }
        }
        guard isChanged else { return text }
        while plain.last?.isWhitespace ?? false { plain.removeLast() }
        return plain
    }

    /// Tags that end a line.
    private static let breaking: Set<String> = ["br", "p", "div", "li", "tr", "ul", "ol", "h1", "h2", "h3"]

    /// Other tags; further words in angle brackets are the text's own.
    private static let others: Set<String> = [
        "a", "abbr", "b", "big", "body", "center", "code", "em", "font", "h4", "h5", "h6", "head", "hr",
        "html", "i", "img", "pre", "s", "small", "span", "strike", "strong", "sub", "sup", "table", "tbody",
        "td", "th", "thead", "tt", "u",
    ]

    /// The name of the tag at the start of a text, and the index after it.
    private static func tag(_ text: Substring) -> (name: String, end: String.Index)? {
        guard let close = text.dropFirst().firstIndex(where: { $0 == ">" || $0 == "<" }), text[close] == ">"
        else { return nil }
        let inner = text[..<close].dropFirst()
        let name = inner.drop { $0 == "/" }.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let rest = inner.drop { $0 == "/" }.dropFirst(name.count)
        let tag = name.lowercased()
        guard breaking.contains(tag) || others.contains(tag),
            rest.first.map({ $0 == "/" || $0.isWhitespace }) ?? true
        else { return nil }
        // `<a href="…">`, but not `<Center Street>`.
        guard rest.contains("=") || rest.allSatisfy({ $0 == "/" || $0.isWhitespace }) else { return nil }
        return (tag, text.index(after: close))
    }

    /// The character of the entity at the start of a text, and the index after it.
    private static func entity(_ text: Substring) -> (character: Character, end: String.Index)? {
        guard let close = text.prefix(longest).firstIndex(of: ";") else { return nil }
        let name = text[..<close].dropFirst()
        let end = text.index(after: close)
        if let known = named[String(name)] ?? HTMLEntities.character(String(name)).map(Character.init) {
            return (known, end)
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first?.lowercased() == "x"
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init).map { (Character($0), end) }
    }

    /// Characters of the longest entity that is read.
    private static let longest = 10

    /// The characters of XML, and the space that is written as one.
    private static let named: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ",
    ]
}
